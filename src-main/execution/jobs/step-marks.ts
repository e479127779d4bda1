/** What a job's output tells by the way: which step begins, and each line of what is printed. */
export interface OutputListener {
  onStep(step: string): void
  /** Without it, output is not taken apart into lines; most has none that tell anything. */
  onLine?(line: string): void
}

const separator = '\u001e'
const mark = `${separator}step `

/** Longest line that is looked at; what is beyond is output like any other. */
const longest = 4096

/** Finds step marks and lines in output that comes in pieces of any size. */
export class StepMarks {
  private rest = ''

  constructor(
    private readonly steps: ReadonlySet<string>,
    private readonly listener: OutputListener
  ) {}

  /** A piece may end anywhere, also inside a mark. */
  push(piece: Buffer): void {
    const from = this.listener.onLine || this.rest !== '' ? 0 : piece.indexOf(separator)
    if (from < 0) return
    const lines = (this.rest + piece.toString('latin1', from)).split(/[\n\r]/)
    const open = (lines.pop() ?? '').slice(-longest)
    this.rest = this.listener.onLine || open.includes(separator) ? open : ''
    for (const line of lines) this.look(line)
  }

  /** A mark stands at the end of a line whose beginning a program left open. */
  private look(line: string): void {
    const at = line.lastIndexOf(mark)
    const step = at < 0 ? null : line.slice(at + mark.length)
    if (step !== null && this.steps.has(step)) this.listener.onStep(step)
    else if (line !== '') this.listener.onLine?.(line)
  }
}
