/** A message of a server may have this many bytes. */
const longestLine = 4 * 1024 * 1024
/** Bytes that are no message, between two messages, after which a program is taken to speak no MCP. */
const mostJunk = 64 * 1024 * 1024

const newline = 0x0a
/** Bytes of each end of a line that was left out which are kept: where a message has its id. */
const keptOfEnds = 256

/** Splits what a program writes into lines; a line that is too long is left out, up to its end, but for its two ends. */
export class Lines {
  private parts: Buffer[] = []
  private size = 0
  private skipping = false
  private junk = 0
  private head = ''
  private tail = Buffer.alloc(0)
  private leftOut: { readonly head: string; readonly tail: string }[] = []

  /** The lines that are complete now. */
  take(chunk: Buffer): string[] {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.add(chunk.subarray(from, end))
      if (!this.skipping) lines.push(Buffer.concat(this.parts).toString('utf8'))
      else this.leftOut.push({ head: this.head, tail: this.tail.toString('latin1') })
      this.drop()
      this.skipping = false
      from = end + 1
    }
    this.add(chunk.subarray(from))
    return lines
  }

  /** The ends of the lines that were too long, since this was last asked. */
  takeLeftOut(): readonly { readonly head: string; readonly tail: string }[] {
    const leftOut = this.leftOut
    this.leftOut = []
    return leftOut
  }

  /** A line was a message. */
  accept(): void {
    this.junk = 0
  }

  /** A line was none. */
  reject(line: string): void {
    this.junk += line.length
  }

  /** So much came that was no message that reading on is pointless. */
  get hopeless(): boolean {
    return this.junk > mostJunk
  }

  private add(part: Buffer): void {
    if (this.skipping) {
      this.junk += part.length
      this.tail = Buffer.concat([this.tail, part.subarray(-keptOfEnds)]).subarray(-keptOfEnds)
      return
    }
    this.parts.push(part)
    this.size += part.length
    if (this.size <= longestLine) return
    this.junk += this.size
    this.skipping = true
    const whole = Buffer.concat(this.parts)
    this.head = whole.toString('latin1', 0, keptOfEnds)
    this.tail = Buffer.from(whole.subarray(-keptOfEnds))
    this.drop()
  }

  private drop(): void {
    this.parts = []
    this.size = 0
  }
}
