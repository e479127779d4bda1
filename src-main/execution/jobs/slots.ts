/** A limited number of places per host; who finds none does without. */
export class Slots {
  private readonly taken = new Map<string, number>()

  /** Takes one of `limit` places and answers how to leave it; null when there is none. */
  enter(host: string, limit: number): (() => void) | null {
    const taken = this.taken.get(host) ?? 0
    if (taken >= limit) return null
    this.taken.set(host, taken + 1)
    return () => this.taken.set(host, (this.taken.get(host) ?? 1) - 1)
  }
}
