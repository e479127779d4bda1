/** How many calls may be made within a span of time (ms). */
export interface Rate {
  readonly calls: number
  readonly perMs: number
}

/** Far above what a person's editor does, far below what a loop that has lost its way does. */
export const usualRate: Rate = { calls: 120, perMs: 60_000 }

/**
 * Counts the calls of each way in, in a span that moves with time. A way in is what the gateway has given out itself (a
 * token, a place for a connection), of which there are few; never a name that a client gives itself.
 */
export class RateLimit {
  private readonly calls = new Map<string, number[]>()

  constructor(
    readonly rate: Rate,
    private readonly now: () => number
  ) {}

  /** Counts one more call; when there were too many, it is not counted and the milliseconds to wait are given. */
  take(way: string): number | null {
    const now = this.now()
    const recent = (this.calls.get(way) ?? []).filter((at) => at > now - this.rate.perMs)
    this.calls.set(way, recent)
    const [first] = recent
    if (recent.length >= this.rate.calls && first !== undefined) return first + this.rate.perMs - now
    recent.push(now)
    return null
  }
}
