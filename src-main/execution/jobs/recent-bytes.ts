/** The last bytes of a stream, in one buffer that is used over and over: a stream may be of any length. */
export class RecentBytes {
  private readonly buffer: Buffer
  private used = 0

  /** @param kept bytes that are never dropped before they were taken; up to twice as many may be held */
  constructor(private readonly kept: number) {
    this.buffer = Buffer.allocUnsafe(2 * kept)
  }

  get length(): number {
    return this.used
  }

  /** Valid until the next call of anything else. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used)
  }

  add(chunk: Buffer): void {
    const added = chunk.subarray(-this.buffer.length)
    if (this.used + added.length > this.buffer.length) this.keep(Math.max(0, this.kept - added.length))
    this.used += added.copy(this.buffer, this.used)
  }

  /** Drops all but the last `count` bytes. */
  keep(count: number): void {
    this.buffer.copyWithin(0, this.used - count, this.used)
    this.used = count
  }
}
