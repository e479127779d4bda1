import type { Bridge, OutputSlice } from '@contract'
import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../../src-renderer/state/client.svelte'
import { Output } from '../../../src-renderer/state/output.svelte'

/** Output as it lies on disk, served in slices. */
function disk(initial: string) {
  const file = { text: initial }
  const request = vi.fn((_route: string, input: { offset?: number; limit: number }) => {
    const offset = input.offset ?? Math.max(0, file.text.length - input.limit)
    const text = file.text.slice(offset, offset + input.limit)
    const data: OutputSlice = { offset, nextOffset: offset + text.length, totalBytes: file.text.length, text }
    return Promise.resolve({ ok: true, data })
  })
  const bridge = { request, onEvent: () => () => undefined, platform: 'linux' } as unknown as Bridge
  const output = new Output('e', new Client(bridge), (run) => run())
  const shown = () => output.lines.map((line) => line.runs.map((run) => run.text).join(''))
  const grow = (text: string, told = text) => {
    const offset = file.text.length + text.length - told.length
    file.text += text
    output.receive({
      type: 'execution.output',
      executionId: 'e',
      offset,
      text: told,
      totalBytes: file.text.length
    })
  }
  return { output, request, shown, grow }
}

describe('live output', () => {
  it('shows the tail and follows what is written', async () => {
    const { output, shown, grow, request } = disk('one\n')
    await output.load()
    grow('two\n')
    expect(shown()).toEqual(['one', 'two'])
    expect(request).toHaveBeenCalledTimes(1)
  })

  it('reads what an event left out', async () => {
    const { output, shown, grow } = disk('one\n')
    await output.load()
    grow('two\nthree\n', 'three\n')
    await vi.waitFor(() => expect(shown()).toEqual(['one', 'two', 'three']))
  })

  it('takes nothing twice', async () => {
    const { output, shown } = disk('one\n')
    await output.load()
    output.receive({ type: 'execution.output', executionId: 'e', offset: 0, text: 'one\n', totalBytes: 4 })
    expect(shown()).toEqual(['one'])
  })

  it('draws at most two thousand lines and says how many are above', async () => {
    const { output, shown } = disk(Array.from({ length: 4_000 }, (_, i) => `l${i}`).join('\n'))
    await output.load()
    expect(shown()).toHaveLength(2_000)
    expect(shown().at(-1)).toBe('l3999')
    expect(output.earlierLines).toBe(2_000)
  })
})
