/** When a model's service is left alone, and for how long. Times in milliseconds. */
export interface BreakerRules {
  /** Failures in a row, over all conversations. */
  readonly failures: number
  /** The first pause; doubled each time the service has still not come back, up to `longestPauseMs`. */
  readonly pauseMs: number
  readonly longestPauseMs: number
}
export const breakerRules: BreakerRules = { failures: 5, pauseMs: 15_000, longestPauseMs: 120_000 }

/**
 * A circuit breaker for one service: after some failures in a row nobody asks it for a while; then one request tries
 * whether it is back, and the others wait for what that one finds.
 */
export class Breaker {
  private failed = 0
  private pauses = 0
  /** When the service may be tried again; null while it is not left alone. */
  private openUntil: number | null = null
  private isBeingTried = false
  private waiting: (() => void)[] = []

  constructor(
    private readonly rules: BreakerRules = breakerRules,
    private readonly now: () => number = Date.now
  ) {}

  /** Milliseconds until the service is tried again; 0 while it is not left alone. */
  get pause(): number {
    return this.openUntil === null ? 0 : Math.max(1, this.openUntil - this.now())
  }

  /** Resolves when the service may be asked, or on abort; `onRest` is told of each pause. */
  async enter(
    wait: (ms: number, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
    onRest: (ms: number) => void
  ): Promise<void> {
    while (this.openUntil !== null && !signal.aborted) {
      onRest(this.pause)
      if (this.isBeingTried) {
        await this.outcome(signal)
        continue
      }
      this.isBeingTried = true
      await wait(this.pause, signal)
      if (signal.aborted) this.settle(this.openUntil)
      return
    }
  }

  /** What an attempt has shown: the service is there, is not there, or nothing (it was given up). */
  learn(outcome: 'there' | 'not there' | 'nothing'): void {
    if (outcome === 'nothing') return this.settle(this.openUntil)
    if (outcome === 'there') {
      this.failed = this.pauses = 0
      return this.settle(null)
    }
    if (++this.failed < this.rules.failures) return
    const pause = Math.min(this.rules.longestPauseMs, this.rules.pauseMs * 2 ** this.pauses++)
    this.settle(this.now() + pause)
  }

  private outcome(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  private settle(openUntil: number | null): void {
    this.openUntil = openUntil
    this.isBeingTried = false
    const waiting = this.waiting
    this.waiting = []
    for (const resolve of waiting) resolve()
  }
}
