import type { AppError, ApprovalRoute, ApprovalView } from '@contract'
import type { Client } from './client.svelte'

/** A card that just appeared may be under a finger that meant something else. */
const armingTime = 400
const allowMinutes = 30

/** The operator's side of one approval card, until it is decided. */
export class ApprovalForm {
  reason = $state('')
  typedName = $state('')
  /** Hash of what was in view to its end; commands that fit their box are so at once. */
  #readHash = $state<string | null>(null)
  armed = $state(false)
  busy = $state(false)
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  readonly #route: Extract<ApprovalRoute, 'chat' | 'ops'>
  readonly #timer: ReturnType<typeof setTimeout>

  constructor(client: Client, route: 'chat' | 'ops') {
    this.#client = client
    this.#route = route
    this.#timer = setTimeout(() => (this.armed = true), armingTime)
  }

  dispose(): void {
    clearTimeout(this.#timer)
  }

  markRead(approval: ApprovalView): void {
    this.#readHash = approval.hash
  }

  wasRead(approval: ApprovalView): boolean {
    return this.#readHash === approval.hash
  }

  nameFits(approval: ApprovalView): boolean {
    return approval.confirmName === null || this.typedName.trim() === approval.confirmName
  }

  canApprove(approval: ApprovalView, now: number): boolean {
    return (
      this.armed &&
      !this.busy &&
      this.wasRead(approval) &&
      this.nameFits(approval) &&
      approval.expiresAt > now
    )
  }

  async approve(approval: ApprovalView, exactlyThis = false): Promise<ApprovalView | null> {
    if (!this.canApprove(approval, Date.now())) return null
    return this.#decide(approval, {
      decision: 'approve',
      ...(approval.confirmName === null ? {} : { confirmName: this.typedName.trim() }),
      ...(exactlyThis ? { allowMinutes } : {})
    })
  }

  async deny(approval: ApprovalView): Promise<ApprovalView | null> {
    if (!this.armed || this.busy) return null
    const reason = this.reason.trim()
    return this.#decide(approval, { decision: 'deny', ...(reason === '' ? {} : { reason }) })
  }

  /** Sends the hash of the approval that is shown, so that nothing else can be decided. */
  async #decide(
    approval: ApprovalView,
    decision: {
      readonly decision: 'approve' | 'deny'
      readonly reason?: string
      readonly confirmName?: string
      readonly allowMinutes?: number
    }
  ): Promise<ApprovalView | null> {
    this.busy = true
    this.error = null
    const reply = await this.#client.request('approval.decide', {
      id: approval.id,
      hash: approval.hash,
      route: this.#route,
      ...decision
    })
    this.busy = false
    if (reply.ok) return reply.data
    this.error = reply.error
    return null
  }
}
