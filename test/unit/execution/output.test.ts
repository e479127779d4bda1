import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Outputs } from '../../../src-main/execution/jobs/output'
import { plainText } from '../../../src-main/execution/jobs/plain-text'
import type { NomosEvent } from '../../../src-preload/contract'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

const quiet = { onStep: () => undefined }

function outputs() {
  const home = tempFolder()
  const store = testStore()
  const events: Extract<NomosEvent, { type: 'execution.output' }>[] = []
  store.bus.subscribe(({ event }) => event.type === 'execution.output' && events.push(event))
  return { home, events, outputs: new Outputs(home, store) }
}

async function written(chunks: readonly Buffer[]) {
  const world = outputs()
  const recorder = await world.outputs.record('one', new Set(), quiet)
  for (const chunk of chunks) await recorder.write(chunk)
  await recorder.close()
  return world
}

describe('output', () => {
  it('is kept byte for byte, over several recordings', async () => {
    const { home, outputs: kept } = await written([Buffer.from([0, 255, 10]), Buffer.from('ä')])
    const more = await kept.record('one', new Set(), quiet)
    await more.write(Buffer.from('!'))
    await more.close()
    expect(readFileSync(join(home, 'outputs/one'))).toEqual(Buffer.from([0, 255, 10, 0xc3, 0xa4, 33]))
    expect(kept.size('one')).toBe(6)
  })

  it('read slice by slice is the whole text, whatever the slices cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 4, max: 20 }),
        async (text, limit) => {
          const { outputs: kept } = await written([Buffer.from(text)])
          let read = ''
          let offset = 0
          for (;;) {
            const slice = await kept.slice('one', offset, limit)
            read += slice.text
            offset = slice.nextOffset
            if (offset >= slice.totalBytes) break
          }
          expect(read).toBe(text)
        }
      ),
      { numRuns: 30 }
    )
  })

  it('without an offset is its tail, beginning with a whole character', async () => {
    const { outputs: kept } = await written([Buffer.from('ab€')])
    expect(await kept.slice('one', undefined, 2)).toEqual({
      offset: 5,
      nextOffset: 5,
      totalBytes: 5,
      text: ''
    })
    expect(await kept.slice('one', undefined, 4)).toMatchObject({ offset: 1, text: 'b€' })
  })

  it('is announced in few events, whole characters each, that join to what was written', async () => {
    const text = 'äöü€🙂'.repeat(500)
    const bytes = Buffer.from(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.subarray(at * 7, at * 7 + 7)
    )
    const { events } = await written(chunks)
    expect(events.map((event) => event.text).join('')).toBe(text)
    let offset = 0
    for (const event of events) {
      expect(event.offset).toBe(offset)
      offset += Buffer.byteLength(event.text)
    }
    expect(events.at(-1)?.totalBytes).toBe(bytes.length)
  })

  it('of megabytes is announced by its newest 64 KiB', async () => {
    const { events, outputs: kept } = await written(
      Array.from({ length: 40 }, (_, n) => Buffer.alloc(100_000, 65 + (n % 26)))
    )
    expect(kept.size('one')).toBe(4_000_000)
    for (const event of events) expect(Buffer.byteLength(event.text)).toBeLessThanOrEqual(64 * 1024)
    expect(events.at(-1)?.totalBytes).toBe(4_000_000)
  })

  it('is given to the model as head and tail, plain and without secrets', async () => {
    const long = Array.from({ length: 5000 }, (_, n) => `line ${n}`).join('\n')
    const { outputs: kept } = await written([
      Buffer.from(`\u001b[31mred\u001b[0m API_TOKEN=abcdef123456\n${long}`)
    ])
    const text = await kept.forModel('one')
    expect(text).toContain('red API_TOKEN=[removed]')
    expect(text).toMatch(/\[… \d+ bytes left out of \d+ …\]/)
    expect(text).toContain('line 4999')
    expect(text.length).toBeLessThan(13_000)
  })

  it('has no path outside its folder', async () => {
    const { outputs: kept } = outputs()
    await expect(kept.record('../x', new Set(), quiet)).rejects.toThrow(RangeError)
  })
})

describe('plain text', () => {
  it.each([
    ['\u001b[1;32mok\u001b[0m', 'ok'],
    ['10%\r50%\r100%\ndone', '100%\ndone'],
    ['\u001b]52;c;ZXZpbA==\u0007text', 'text'],
    ['\u001b]8;;https://evil\u0007link\u001b]8;;\u0007', 'link'],
    ['a\u202eb\u200bc\u{e0041}d', 'abcd'],
    ['x\u0000\u0008y', 'xy'],
    ['\u001estep create\nrunning', '── create ──\nrunning'],
    ['open line\u001estep start\n', 'open line── start ──\n']
  ])('%j becomes %j', (raw, plain) => expect(plainText(raw)).toBe(plain))
})
