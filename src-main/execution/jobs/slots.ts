/** A limited number of places per host; who finds none does without. */
export class Slots {
  private readonly taken = new Map<string, number>()

  constructor(private readonly limit: number) {}

  /** Takes a place and answers how to leave it; null when there is none. */
  enter(host: string): (() => void) | null {
    const taken = this.taken.get(host) ?? 0
    if (taken >= this.limit) return null
    this.taken.set(host, taken + 1)
    return () => this.taken.set(host, (this.taken.get(host) ?? 1) - 1)
  }
}
