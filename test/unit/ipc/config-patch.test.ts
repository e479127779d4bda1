import { expect, test } from 'vitest'
import { configPatchSchema } from '../../../src-preload/contract'

test('a change of one setting leaves out the others, so that nothing the operator set is reset', () => {
  expect(configPatchSchema.parse({})).toEqual({})
  expect(configPatchSchema.parse({ lab: true })).toEqual({ lab: true })
})

test('inside a changed setting defaults are filled in', () => {
  const hosts = [{ name: 'strong', address: '192.0.2.10', identity: { agent: true } }]
  expect(configPatchSchema.parse({ hosts }).hosts?.[0]).toMatchObject({ port: 22, user: 'root', sudo: false })
})

test('an unknown setting is refused', () => {
  expect(configPatchSchema.safeParse({ hostz: [] }).success).toBe(false)
})
