import { expect, it } from 'vitest'
import { Slots } from '../../../src-main/ssh/slots'

const patient = new AbortController().signal

it('lets no more in than there is room for, in the order in which they came', async () => {
  const slots = new Slots(2)
  const entered: number[] = []
  await Promise.all([slots.acquire(patient), slots.acquire(patient)])
  const waiting = [1, 2, 3].map((number) => slots.acquire(patient).then(() => entered.push(number)))
  slots.release()
  await waiting[0]
  expect(entered).toEqual([1])
  slots.release()
  slots.release()
  await Promise.all(waiting)
  expect(entered).toEqual([1, 2, 3])
  expect(slots.inUse).toBe(2)
})

it('forgets who gave up waiting', async () => {
  const slots = new Slots(1)
  await slots.acquire(patient)
  const impatient = new AbortController()
  const given = slots.acquire(impatient.signal)
  const next = slots.acquire(patient)
  impatient.abort()
  expect(await given).toBe(false)
  slots.release()
  expect(await next).toBe(true)
})

it('lets fewer in once it has shrunk, but always one', async () => {
  const slots = new Slots(8)
  await Promise.all([1, 2, 3].map(() => slots.acquire(patient)))
  slots.shrink()
  slots.release()
  let entered = false
  const third = slots.acquire(patient).then(() => (entered = true))
  await Promise.resolve()
  expect(entered).toBe(false)
  slots.release()
  await third
  expect(slots.inUse).toBe(2)
  slots.release()
  slots.shrink()
  slots.shrink()
  slots.release()
  expect(await slots.acquire(patient)).toBe(true)
})
