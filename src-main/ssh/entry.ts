import { isDeepStrictEqual } from 'node:util'
import type { HostConfig, HostConnection } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import { messageOf, type AppError, type Result } from '../base/result'
import { hostUnreachable, waitsForOperator } from './errors'
import type { Link } from './link'
import type { SshTuning } from './tuning'

export interface EntryOptions {
  readonly clock: Clock
  readonly tuning: SshTuning
  readonly open: (host: HostConfig) => Promise<Result<Link>>
  readonly onState: (state: HostConnection, error: AppError | null) => void
}

/** The next attempt after a loss, which those who want to use the host wait for. */
interface Retry {
  readonly count: number
  readonly timer: NodeJS.Timeout
  readonly next: Promise<Result<Link>>
  readonly settle: (result: Result<Link> | Promise<Result<Link>>) => void
}

/**
 * The connection to one host over time: opened when it is needed, shared, closed when idle, opened again after
 * a loss with growing waits, and held back while only the operator can help.
 */
export class PoolEntry {
  state: HostConnection = 'unknown'
  error: AppError | null = null
  private link: Link | null = null
  private attempt: Promise<Result<Link>> | null = null
  private heldUntil = 0
  private retry: Retry | null = null
  private idleTimer: NodeJS.Timeout | null = null
  private closed = false

  constructor(
    readonly host: HostConfig,
    private readonly options: EntryOptions
  ) {}

  /** True when the entry was made for exactly this configuration. */
  isFor(host: HostConfig): boolean {
    return isDeepStrictEqual(this.host, host)
  }

  /** Commands at once, as far as the host has shown. */
  get sessions(): number {
    return this.link?.slots.most ?? this.options.tuning.channels
  }

  /** The live connection, or the outcome of the next attempt to make one. */
  acquire(): Promise<Result<Link>> {
    if (this.link?.alive && this.link.spent) this.retire(this.link)
    if (this.link?.alive) return Promise.resolve({ ok: true, value: this.link })
    if (this.attempt) return this.attempt
    if (this.retry) return this.retry.next
    if (this.error && this.options.clock.now() < this.heldUntil)
      return Promise.resolve({ ok: false, error: this.error })
    return this.connect()
  }

  /** Lets the next use ask the host again, although it refused before. */
  forgive(): void {
    this.heldUntil = 0
  }

  /** Drops the connection for good. */
  close(): void {
    this.closed = true
    this.stopRetrying()
    if (this.idleTimer) clearTimeout(this.idleTimer)
    const { link } = this
    this.link = null
    link?.close()
    this.become('unknown', null)
  }

  private connect(): Promise<Result<Link>> {
    this.become('connecting', this.error)
    const opening = this.options
      .open(this.host)
      .catch((error: unknown) => hostUnreachable(this.host, messageOf(error)))
    this.attempt = opening.then((opened) => {
      this.attempt = null
      if (this.closed) {
        if (opened.ok) opened.value.close()
        return this.dropped()
      }
      if (opened.ok) this.adopt(opened.value)
      else this.refused(opened.error)
      return opened
    })
    return this.attempt
  }

  private adopt(link: Link): void {
    this.link = link
    this.retry = null
    link.whenDead((why) => {
      if (this.link !== link) return
      this.link = null
      this.lost(why)
    })
    link.whenIdle(() => this.startIdleTimer(link))
    this.startIdleTimer(link)
    this.become('reachable', null)
  }

  private refused(error: AppError): void {
    if (waitsForOperator(error)) {
      this.stopRetrying()
      this.heldUntil = this.options.clock.now() + this.options.tuning.holdOff
      this.become('blocked', error)
    } else if (this.retry && this.retry.count < this.options.tuning.retries) {
      this.become('connecting', error)
      this.retryAfter(this.retry.count + 1)
    } else {
      this.stopRetrying()
      this.become('unreachable', error)
    }
  }

  private lost(why: string): void {
    this.become('connecting', {
      code: 'host_unreachable',
      message: `The connection to ${this.host.name} was lost: ${why}.`,
      hint: 'It is being connected again.',
      data: { host: this.host.name, lost: true, why }
    })
    this.retryAfter(1)
  }

  /** Connects again after a wait that doubles each time, with jitter so that many hosts do not come at once. */
  private retryAfter(count: number): void {
    const { retryFirst, retryLongest } = this.options.tuning
    const wait = Math.min(retryLongest, retryFirst * 2 ** (count - 1)) * (0.5 + Math.random() / 2)
    let settle: Retry['settle'] = () => undefined
    const next = new Promise<Result<Link>>((resolve) => (settle = resolve))
    const timer = setTimeout(() => settle(this.connect()), wait)
    timer.unref()
    this.retry = { count, timer, next, settle }
  }

  private dropped(): Result<never> {
    return hostUnreachable(this.host, 'its connection was dropped; nothing was started', 'Try again.')
  }

  private stopRetrying(): void {
    if (this.retry) {
      clearTimeout(this.retry.timer)
      this.retry.settle(this.dropped())
    }
    this.retry = null
  }

  private startIdleTimer(link: Link): void {
    if (this.idleTimer) clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => {
      if (this.link !== link || link.inUse) return
      this.link = null
      link.close()
      this.become('unknown', null)
    }, this.options.tuning.idleTimeout)
    this.idleTimer.unref()
  }

  /** Takes no new commands on a connection whose sessions are used up by commands that were given up. */
  private retire(link: Link): void {
    this.link = null
    if (link.inUse) link.whenIdle(() => link.close())
    else link.close()
  }

  private become(state: HostConnection, error: AppError | null): void {
    if (this.state === state && this.error?.message === error?.message) return
    this.state = state
    this.error = error
    this.options.onState(state, error)
  }
}
