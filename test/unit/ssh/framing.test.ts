import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterMarker } from '../../../src-main/ssh/framing'

it('B48: passes on exactly what comes after the marker, however the stream is cut', () => {
  const piece = fc.string({ unit: fc.constantFrom('n', 'o', 'm', 's', '-', '7', '\n'), maxLength: 30 })
  fc.assert(
    fc.property(piece, piece, fc.array(fc.integer({ min: 1, max: 9 })), (noise, output, cuts) => {
      fc.pre(!`${noise}nomos-7`.slice(0, -1).includes('nomos-7'))
      const stream = Buffer.from(`${noise}nomos-7${output}`)
      let passed = ''
      const take = afterMarker('nomos-7', (chunk) => void (passed += chunk.toString()))
      let at = 0
      for (const length of [...cuts, stream.length]) {
        void take(stream.subarray(at, at + length))
        at += length
      }
      expect(passed).toBe(output)
    })
  )
})
