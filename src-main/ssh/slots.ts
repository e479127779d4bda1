/** Lets at most `limit` users in at once; the others wait in the order in which they came. */
export class Slots {
  private used = 0
  private readonly waiting: (() => void)[] = []

  constructor(private limit: number) {}

  get inUse(): number {
    return this.used
  }

  /** How many may be in at once. */
  get most(): number {
    return this.limit
  }

  /** Resolves to false when the signal aborts first. */
  acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    if (this.used < this.limit) {
      this.used++
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1)
        resolve(false)
      }
      this.waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  release(): void {
    this.used--
    while (this.used < this.limit) {
      const next = this.waiting.shift()
      if (!next) return
      this.used++
      next()
    }
  }

  /** The other side allows fewer: no more at once than are in now, without the caller, but at least one. */
  shrink(): void {
    this.limit = Math.max(1, Math.min(this.limit, this.used - 1))
  }
}
