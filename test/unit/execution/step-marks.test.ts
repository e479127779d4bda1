import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepMarks } from '../../../src-main/execution/jobs/step-marks'

function read(
  text: string,
  cuts: readonly number[] = [],
  { asksForLines = true } = {}
): { steps: string[]; lines: string[] } {
  const steps: string[] = []
  const lines: string[] = []
  const marks = new StepMarks(new Set(['create', 'start']), {
    onStep: (step) => steps.push(step),
    ...(asksForLines && { onLine: (line: string) => lines.push(line) })
  })
  let from = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    marks.push(Buffer.from(text.slice(from, cut)))
    from = cut
  }
  marks.push(Buffer.from(text.slice(from)))
  return { steps, lines }
}

const output = '\u001estep create\nextracting\r 50%\r100%\nno newline at the end\u001estep start\nstarted\n'

describe('steps in output', () => {
  it('finds the steps and the lines', () => {
    expect(read(output)).toEqual({
      steps: ['create', 'start'],
      lines: ['extracting', ' 50%', '100%', 'started']
    })
  })

  it('finds the same however the output is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(output.length)), (cuts) => {
        expect(read(output, cuts)).toEqual(read(output))
        expect(read(output, cuts, { asksForLines: false }).steps).toEqual(['create', 'start'])
      })
    )
  })

  it('takes a step that is none of the commands for output', () => {
    expect(read('\u001estep evil\n\u001estep create x\n').steps).toEqual([])
  })

  it('keeps no more than it needs of a line without an end', () => {
    const text = 'x'.repeat(1_000_000)
    expect(read(`${text}\n\u001estep start\n`).steps).toEqual(['start'])
  })
})
