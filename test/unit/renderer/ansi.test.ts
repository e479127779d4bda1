import { describe, expect, it } from 'vitest'
import { AnsiScreen } from '../../../src-renderer/lib/ansi'

const screenOf = (...writes: string[]) => {
  const screen = new AnsiScreen()
  for (const text of writes) screen.write(text)
  return screen
}
const textsOf = (screen: AnsiScreen) => screen.lines.map((line) => line.runs.map((run) => run.text).join(''))

describe('output of an execution', () => {
  it('keeps plain lines and the line that is being written', () => {
    expect(textsOf(screenOf('Reading package lists\nBuilding'))).toEqual([
      'Reading package lists',
      'Building'
    ])
  })

  it('lets a carriage return rewrite the line, as progress does', () => {
    expect(textsOf(screenOf('10%\r', '50%\r', '100%\n'))).toEqual(['100%', ''])
  })

  it('keeps what a shorter rewrite does not cover, until it is erased', () => {
    expect(textsOf(screenOf('Progress: 100%\rdone'))).toEqual(['doneress: 100%'])
    expect(textsOf(screenOf('Progress: 100%\r\u001b[Kdone'))).toEqual(['done'])
  })

  it('colours what the palette colours and forgets it at a reset', () => {
    const line = screenOf('\u001b[1;31mE:\u001b[0m no space').lines[0]
    expect(line?.runs).toEqual([
      { text: 'E:', style: { bold: true, fg: 1 } },
      { text: ' no space', style: {} }
    ])
  })

  it('understands bright, 256 and true colours', () => {
    const line = screenOf('\u001b[92ma\u001b[38;5;196mb\u001b[48;2;1;2;300mc').lines[0]
    expect(line?.runs.map((run) => run.style)).toEqual([
      { fg: 10 },
      { fg: '#ff0000' },
      { fg: '#ff0000', bg: '#0102ff' }
    ])
  })

  it('joins a sequence that is cut between two reads', () => {
    const screen = screenOf('\u001b[3', '2mok')
    expect(textsOf(screen)).toEqual(['ok'])
    expect(screen.lines[0]?.runs[0]?.style).toEqual({ fg: 2 })
  })

  it('drops window titles and links', () => {
    expect(textsOf(screenOf('\u001b]0;root@strong\u0007a\u001b]8;;http://x\u001b\\b'))).toEqual(['ab'])
  })

  it('rewrites earlier lines when the cursor moves up', () => {
    const screen = screenOf('layer 1: 10%\nlayer 2: 20%\n', '\u001b[2A\rlayer 1: 90%\u001b[K\n')
    expect(textsOf(screen)).toEqual(['layer 1: 90%', 'layer 2: 20%', ''])
  })

  it('shows a step mark as a heading', () => {
    const screen = screenOf('\u001estep template\ndownloading\n')
    expect(screen.lines.map((line) => line.step)).toEqual(['template', null, null])
  })

  it('keeps only the newest lines and says how many went', () => {
    const screen = new AnsiScreen(100)
    screen.write(Array.from({ length: 250 }, (_, i) => `line ${i}`).join('\n'))
    expect(screen.lines).toHaveLength(100)
    expect(screen.dropped).toBe(150)
    expect(textsOf(screen).at(-1)).toBe('line 249')
  })

  it('survives a megabyte without a newline', () => {
    const started = performance.now()
    const screen = screenOf('x'.repeat(1_000_000))
    expect(screen.lines).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('does not keep an escape that never ends', () => {
    expect(textsOf(screenOf(`\u001b]0;${'x'.repeat(5_000)}\nafter`)).at(-1)).toBe('after')
  })
})
