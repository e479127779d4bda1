interface Waiter {
  readonly keys: readonly string[]
  readonly go: () => void
}

/**
 * Lets one execution at a time act on a target (and one create at a time on a cluster).
 * First come, first served; whoever needs several keys takes them all at once, so nobody waits in a circle.
 */
export class Locks {
  private readonly held = new Set<string>()
  private waiting: Waiter[] = []

  /** Resolves with the function that gives the keys back; null when `signal` ended the wait. */
  acquire(keys: readonly string[], signal: AbortSignal): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null)
      const abandon = () => {
        this.waiting = this.waiting.filter((other) => other !== waiter)
        resolve(null)
        this.advance()
      }
      const waiter: Waiter = {
        keys,
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
    const wanted = new Set<string>()
    const ready: Waiter[] = []
    for (const waiter of this.waiting) {
      const free = waiter.keys.every((key) => !this.held.has(key) && !wanted.has(key))
      for (const key of waiter.keys) (free ? this.held : wanted).add(key)
      if (free) ready.push(waiter)
    }
    this.waiting = this.waiting.filter((waiter) => !ready.includes(waiter))
    for (const waiter of ready) waiter.go()
  }
}
