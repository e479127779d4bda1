import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lines } from '../../../src-main/mcp/external/lines'

/** Lines of bytes, cut anywhere into chunks. */
const take = (bytes: Buffer, cuts: readonly number[], lines = new Lines()) => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).flatMap((end, index) => lines.take(bytes.subarray(places[index], end)))
}

describe('lines of an external server', () => {
  it('are the same wherever the stream is cut, also within a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }).map((line) => line.replace(/\n/g, ' '))),
        fc.array(fc.nat()),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
          expect(take(bytes, cuts)).toEqual(lines.map((line) => Buffer.from(line).toString()))
        }
      )
    )
  })

  it('B40: one of 10 MB is left out, the one after it is read', () => {
    const long = Buffer.alloc(10 * 1024 * 1024, 'x')
    const lines = new Lines()
    expect(
      take(Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\nb\nc')]), [5, 6_000_000], lines)
    ).toEqual(['a', 'b'])
    expect(lines.hopeless).toBe(false)
  })

  it('B40: junk without an end is noticed, and forgotten with the next message', () => {
    const lines = new Lines()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let sent = 0; sent < 60; sent++) expect(lines.take(chunk)).toEqual([])
    expect(lines.hopeless).toBe(false)
    lines.accept()
    for (let sent = 0; sent < 65; sent++) lines.take(chunk)
    expect(lines.hopeless).toBe(true)
  })
})
