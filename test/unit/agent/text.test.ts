import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical, firstWords, headAndTail, splitAtPair, wellFormed } from '../../../src-main/agent/text'

const anyString = fc.string({ unit: 'binary' })

test('text is made well-formed once and for all', () => {
  fc.assert(
    fc.property(anyString, (text) => {
      const clean = wellFormed(text)
      expect(wellFormed(clean)).toBe(clean)
      expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean)
    })
  )
})

test('pieces that are split anywhere add up to the whole, with no half characters between', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
      const cut = at % (text.length + 1)
      const { whole, rest } = splitAtPair(text.slice(0, cut))
      expect(whole + wellFormed(rest + text.slice(cut))).toBe(text)
      expect(wellFormed(whole)).toBe(whole)
    })
  )
})

test('head and tail keep both ends and say what is missing', () => {
  const cut = headAndTail(`start${'x'.repeat(1000)}end`, 100)
  expect(cut).toMatch(/^start.*\n\[… 908 characters left out by Nomos …\]\n.*end$/)
  expect(headAndTail('short', 100)).toBe('short')
})

test('first words end at a word', () => {
  expect(firstWords('  deploy\n TypeType  on strong ', 18)).toBe('deploy TypeType…')
  expect(firstWords('deploy', 60)).toBe('deploy')
})

test('equal values have equal texts, whatever the order of their keys', () => {
  expect(canonical({ b: [1, { d: 2, c: 3 }], a: null })).toBe('{"a":null,"b":[1,{"c":3,"d":2}]}')
  // As JSON has it: it knows no -0.
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => void expect(JSON.parse(canonical(value))).toEqual(asJson(value)))
  )
})
