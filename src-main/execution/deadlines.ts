import type { Clock } from '../base/clock'

/** Longest wait: a timer does not notice that the clock was set or the computer slept. */
const longestMs = 60_000

/** Shortest wait, so that a deadline that cannot be written down is tried again calmly. */
const shortestMs = 100

/** One timer for the next deadline of all. */
export class Deadlines {
  private timer: NodeJS.Timeout | null = null
  private stopped = false

  constructor(
    private readonly clock: Clock,
    /** The next deadlines; null for none. */
    private readonly next: () => readonly (number | null)[],
    private readonly due: () => void
  ) {}

  /** Looks at the deadlines anew and sets the timer. */
  arm(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const times = this.stopped ? [] : this.next().filter((time) => time !== null)
    if (times.length === 0) return
    const wait = Math.min(Math.max(Math.min(...times) - this.clock.now(), shortestMs), longestMs)
    this.timer = setTimeout(() => {
      this.due()
      this.arm()
    }, wait)
    this.timer.unref()
  }

  stop(): void {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
  }
}
