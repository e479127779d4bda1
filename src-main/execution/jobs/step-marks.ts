/** What a job's output tells by the way: which step begins, and each line of what is printed. */
export interface OutputListener {
  onStep(step: string): void
  onLine(line: string): void
}

const mark = '\u001estep '

/** Longest line that is looked at; what is beyond is output like any other. */
const longest = 4096

/** Finds step marks and lines in output that comes in pieces of any size. */
export class StepMarks {
  private rest = ''

  constructor(
    private readonly steps: ReadonlySet<string>,
    private readonly listener: OutputListener
  ) {}

  /** `text` is the next piece; a piece may end anywhere, also inside a mark. */
  push(text: string): void {
    const lines = (this.rest + text).split(/[\n\r]/)
    this.rest = (lines.pop() ?? '').slice(-longest)
    for (const line of lines) this.look(line)
  }

  /** A mark stands at the end of a line whose beginning a program left open. */
  private look(line: string): void {
    const at = line.lastIndexOf(mark)
    const step = at < 0 ? null : line.slice(at + mark.length)
    if (step !== null && this.steps.has(step)) this.listener.onStep(step)
    else if (line !== '') this.listener.onLine(line)
  }
}
