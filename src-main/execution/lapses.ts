import { messageOf } from '../base/result'
import type { ApprovalSubjects } from './approval-subject'
import type { Approvals } from './approvals'
import type { Context } from './context'
import { Deadlines } from './deadlines'
import { Voiding } from './voiding'
import type { Windows } from './windows'

/** Everything that ends without a decision: at its time, and when the host is not what it was. */
export class Lapses {
  private readonly deadlines: Deadlines
  private readonly voiding: Voiding
  private readonly unsubscribe: (() => void)[]

  constructor(
    private readonly context: Context,
    private readonly approvals: Approvals,
    subjects: ApprovalSubjects,
    private readonly windows: Windows,
    /** Told when a host can be asked again, as far as trust goes. */
    onTrust: (host: string) => void
  ) {
    const { store, ssh, config, clock, allowances } = context
    this.voiding = new Voiding(context, approvals, subjects, windows)
    this.deadlines = new Deadlines(
      clock,
      () => [approvals.nextDeadline(), windows.nextDeadline(), allowances.nextDeadline()],
      () => this.calmly(() => this.expire())
    )
    const timed = new Set(['approval.changed', 'assent.changed', 'allowance.changed'])
    const voidHost = (host: string, why: string) => store.transact((tx) => this.voiding.host(tx, host, why))
    this.unsubscribe = [
      store.bus.subscribe(({ event }) => {
        if (timed.has(event.type)) this.deadlines.arm()
        if (event.type !== 'host.key_decided') return
        if (event.decision === 'forgotten') voidHost(event.host, `The key of ${event.host} was forgotten.`)
        else onTrust(event.host)
      }),
      ssh.onHostKey((offer) => {
        if (offer.expected !== null) voidHost(offer.host, `The host key of ${offer.host} has changed.`)
      }),
      config.onChange(() => this.calmly(() => this.voidChanged()))
    ]
  }

  /** At start: what became overdue, or another host's, while the program was closed. */
  start(): void {
    this.expire()
    this.voidChanged()
    this.deadlines.arm()
  }

  /** After sleep: every deadline anew. */
  wake(): void {
    this.expire()
    this.deadlines.arm()
  }

  stop(): void {
    this.deadlines.stop()
    for (const stop of this.unsubscribe) stop()
  }

  private expire(): void {
    this.context.store.transact((tx) => {
      this.approvals.expire(tx)
      this.windows.expire(tx)
      this.context.allowances.expire(tx)
    })
  }

  private voidChanged(): void {
    this.context.store.transact((tx) => this.voiding.changed(tx))
  }

  /** A disk that is full keeps neither timers nor the configuration from their work. */
  private calmly(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.context.log.log('error', 'execution', `lapses: ${messageOf(error)}`)
    }
  }
}
