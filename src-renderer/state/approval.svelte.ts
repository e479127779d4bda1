import type { AppError, ApprovalView } from '@contract'
import type { Client } from './client.svelte'

/** A card that just appeared may be under a finger that meant something else. */
const armingTime = 400
const allowMinutes = 30

/** Where on the screen it is decided. */
export type DecisionRoute = 'chat' | 'ops' | 'fleet'

/** The operator's side of one approval, until it is decided. It outlives the card that shows it. */
export class ApprovalForm {
  reason = $state('')
  typedName = $state('')
  /** Hash of what was in view to its end; commands that fit their box are so at once. */
  #readHash = $state<string | null>(null)
  armed = $state(false)
  busy = $state(false)
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** Call when a card with it appears; what is returned, when that card goes. */
  appear(): () => void {
    clearTimeout(this.#timer)
    this.armed = false
    this.#timer = setTimeout(() => (this.armed = true), armingTime)
    return () => {
      clearTimeout(this.#timer)
      this.armed = false
    }
  }

  /** `hash` is that of what is on the screen; only an approval of exactly this can be given. */
  markRead(hash: string): void {
    this.#readHash = hash
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

  async approve(
    approval: ApprovalView,
    route: DecisionRoute,
    exactlyThis = false
  ): Promise<ApprovalView | null> {
    if (!this.canApprove(approval, Date.now())) return null
    return this.#decide(approval, route, {
      decision: 'approve',
      ...(approval.confirmName === null ? {} : { confirmName: this.typedName.trim() }),
      ...(exactlyThis ? { allowMinutes } : {})
    })
  }

  async deny(approval: ApprovalView, route: DecisionRoute): Promise<ApprovalView | null> {
    if (!this.armed || this.busy) return null
    const reason = this.reason.trim()
    return this.#decide(approval, route, { decision: 'deny', ...(reason === '' ? {} : { reason }) })
  }

  /** Sends the hash of the approval that is shown, so that nothing else can be decided. */
  async #decide(
    approval: ApprovalView,
    route: DecisionRoute,
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
      route,
      ...decision
    })
    this.busy = false
    if (reply.ok) return reply.data
    this.error = reply.error
    return null
  }
}

/** The forms of approvals that were shown. */
export class ApprovalForms {
  readonly #client: Client
  readonly #forms = new Map<string, ApprovalForm>()

  constructor(client: Client) {
    this.#client = client
  }

  of(approvalId: string): ApprovalForm {
    const known = this.#forms.get(approvalId)
    if (known !== undefined) return known
    const made = new ApprovalForm(this.#client)
    this.#forms.set(approvalId, made)
    return made
  }

  forget(approvalId: string): void {
    this.#forms.delete(approvalId)
  }
}
