import { expect, test } from 'vitest'
import type { Place, SequencedEvent } from '../../../src-preload/contract'
import { pumpEvents } from '../../../src-main/desktop/event-pump'
import { Guide } from '../../../src-main/desktop/guide'
import { EventBus } from '../../../src-main/store/bus'
import type { Store } from '../../../src-main/store/store'

const nextTick = () => new Promise<void>((done) => setImmediate(done))
const banner = { type: 'banner', code: 'x', message: '', gone: false } as const

test('a burst of events goes to the window as one batch, in order and without a gap', async () => {
  const bus = new EventBus({ now: () => 0 })
  const batches: (readonly SequencedEvent[])[] = []
  const stop = pumpEvents(bus, (events) => batches.push(events))
  for (let i = 0; i < 100; i++) bus.publish(banner)
  await nextTick()
  bus.publish(banner)
  await nextTick()
  expect(batches.map((batch) => batch.length)).toEqual([100, 1])
  expect(batches.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1))
  stop()
  bus.publish(banner)
  await nextTick()
  expect(batches).toHaveLength(2)
})

test('F11 the operator is led to a place once the page is there to follow, and once only', () => {
  const led: Place[] = []
  let shown = 0
  const store = {
    announce: (event: { to: Place }) => led.push(event.to)
  } as unknown as Store
  const guide = new Guide(store, () => shown++)
  guide.lead({ page: 'fleet' })
  guide.lead({ page: 'ops' })
  expect(led).toEqual([])
  guide.onBootstrap()
  expect(led).toEqual([{ page: 'ops' }])
  guide.lead({ page: 'chat' })
  expect(led).toHaveLength(2)
  guide.onPageStart()
  guide.lead({ page: 'settings' })
  expect(led).toHaveLength(2)
  guide.onBootstrap()
  expect(led.at(-1)).toEqual({ page: 'settings' })
  expect(shown).toBe(4)
})
