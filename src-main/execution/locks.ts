/** Whoever wants to act on something. */
export interface LockRequest {
  /** Everything that is acted on. */
  readonly keys: readonly string[]
  /** Who asks, for those who wait behind. */
  readonly owner: string
  /** Told whom the wait is for, and for which key, as often as that changes. */
  readonly onWait?: (owner: string, key: string) => void
  readonly signal: AbortSignal
}

interface Waiter extends LockRequest {
  readonly go: () => void
  /** Whom it was last told to wait for. */
  behind: string | null
}

/**
 * Lets one execution at a time act on a target (and one create at a time on a cluster).
 * First come, first served; whoever needs several keys takes them all at once, so nobody waits in a circle.
 */
export class Locks {
  /** Who holds each key. */
  private readonly held = new Map<string, string>()
  private waiting: Waiter[] = []

  /** Resolves with the function that gives the keys back; null when `signal` ended the wait. */
  acquire(request: LockRequest): Promise<(() => void) | null> {
    const { keys, signal } = request
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null)
      const abandon = () => {
        this.waiting = this.waiting.filter((other) => other !== waiter)
        resolve(null)
        this.advance()
      }
      const waiter: Waiter = {
        ...request,
        behind: null,
        go: () => {
          signal.removeEventListener('abort', abandon)
          resolve(this.releaser(keys))
        }
      }
      signal.addEventListener('abort', abandon, { once: true })
      this.waiting.push(waiter)
      this.advance()
    })
  }

  private releaser(keys: readonly string[]): () => void {
    let done = false
    return () => {
      if (done) return
      done = true
      for (const key of keys) this.held.delete(key)
      this.advance()
    }
  }

  /** Lets in, in order, whoever needs nothing that is held or that somebody before them waits for. */
  private advance(): void {
    /** Keys that are held or promised, with whom they belong to. */
    const taken = new Map(this.held)
    const ready: Waiter[] = []
    const stuck: { waiter: Waiter; owner: string; key: string }[] = []
    for (const waiter of this.waiting) {
      const key = waiter.keys.find((each) => taken.has(each))
      if (key === undefined) ready.push(waiter)
      else stuck.push({ waiter, key, owner: taken.get(key) ?? '' })
      for (const each of waiter.keys) {
        if (key === undefined) this.held.set(each, waiter.owner)
        if (!taken.has(each)) taken.set(each, waiter.owner)
      }
    }
    this.waiting = this.waiting.filter((waiter) => !ready.includes(waiter))
    for (const waiter of ready) waiter.go()
    for (const { waiter, owner, key } of stuck) {
      const isNew = waiter.behind !== owner
      waiter.behind = owner
      if (isNew) waiter.onWait?.(owner, key)
    }
  }
}
