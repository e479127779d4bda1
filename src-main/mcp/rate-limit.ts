/** How many calls a client may make within a span of time (ms). */
export interface Rate {
  readonly calls: number
  readonly perMs: number
}

/** Far above what a person's editor does, far below what a loop that has lost its way does. */
export const usualRate: Rate = { calls: 120, perMs: 60_000 }

/** Clients that are remembered; of more, the one that called longest ago is forgotten. */
const mostClients = 200

/** Counts the calls of each client in a span that moves with time. */
export class RateLimit {
  private readonly calls = new Map<string, number[]>()

  constructor(
    readonly rate: Rate,
    private readonly now: () => number
  ) {}

  /** Counts one more call; when there were too many, it is not counted and the milliseconds to wait are given. */
  take(client: string): number | null {
    const now = this.now()
    const recent = (this.calls.get(client) ?? []).filter((at) => at > now - this.rate.perMs)
    this.calls.delete(client)
    this.calls.set(client, recent)
    this.forgetOldest()
    const [first] = recent
    if (recent.length >= this.rate.calls && first !== undefined) return first + this.rate.perMs - now
    recent.push(now)
    return null
  }

  private forgetOldest(): void {
    const [oldest] = this.calls.keys()
    if (this.calls.size > mostClients && oldest !== undefined) this.calls.delete(oldest)
  }
}
