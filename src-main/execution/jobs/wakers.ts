/** Waits that end early when there is news of their host. */
export class Wakers {
  private readonly waiting = new Set<{ readonly host: string; readonly go: () => void }>()

  /** Resolves after `ms`, when the host is woken, or when `signal` ends it. */
  wait(host: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const go = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', go)
        this.waiting.delete(waiter)
        resolve()
      }
      const timer = setTimeout(go, ms)
      const waiter = { host, go }
      signal.addEventListener('abort', go, { once: true })
      this.waiting.add(waiter)
    })
  }

  /** Ends the waits for a host, or all of them. */
  wake(host?: string): void {
    for (const waiter of [...this.waiting]) if (host === undefined || waiter.host === host) waiter.go()
  }
}
