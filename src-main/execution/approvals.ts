import type { ApprovalRoute, ApprovalState, ApprovalView } from '../../src-preload/contract'
import { crashPoint } from '../base/crash-points'
import { fail, ok, type Result } from '../base/result'
import type { Tx } from '../store/store'
import type { ApprovalSubjects } from './approval-subject'
import { approvalView, type ApprovalRow } from './approval-table'
import { isAssent } from './assent'
import type { Context } from './context'
import { tellAgent } from './outbox'
import type { Decision } from './port'
import { move } from './transitions'
import type { Windows } from './windows'

/** Decisions of the operator, over any route; all of them end in `decide`. */
export class Approvals {
  constructor(
    private readonly context: Context,
    private readonly windows: Windows,
    private readonly subjects: ApprovalSubjects,
    /** Starts an execution that has just been approved. */
    private readonly start: (executionId: string) => void
  ) {}

  /** One compare-and-set; see `Executions.decide` for the errors. */
  decide(decision: Decision): Result<ApprovalView> {
    const decided = this.context.store.transact((tx) => {
      const result = this.decideIn(tx, decision)
      crashPoint('before-approval-commit')
      return result
    })
    crashPoint('after-approval-commit')
    return decided
  }

  /** Approves what waits in the session, if the message is nothing but assent; see `Executions.assent`. */
  assent(sessionId: string, typed: string): Result<readonly ApprovalView[]> | null {
    if (!isAssent(typed)) return null
    const all = this.context.approvals.waiting().filter((row) => row.session_id === sessionId)
    const waiting = all.filter((row) => row.risk !== 'destructive')
    if (waiting.length === 0) return null
    // The operator may mean the destructive one: approving what waits beside it would be a guess.
    if (waiting.length < all.length)
      return fail(
        'assent_ambiguous',
        'Something destructive waits too, and words cannot approve that.',
        'Decide on the cards.'
      )
    const results = waiting.map(({ id, hash }) =>
      this.decide({ id, hash, decision: 'approve', route: 'chat_assent' })
    )
    const approved = results.flatMap((result) => (result.ok ? [result.value] : []))
    const refused = results.find((result) => !result.ok)
    return approved.length === 0 && refused && !refused.ok ? refused : ok(approved)
  }

  /** Expires what is overdue, or was asked for at a time that is not yet: the clock was set back. */
  expire(tx: Tx): void {
    for (const row of this.context.approvals.waiting()) {
      const why = this.overdue(row)
      if (why !== null) this.lapse(tx, row, why)
    }
  }

  /** When the next waiting approval expires; null when none waits. */
  nextDeadline(): number | null {
    const times = this.context.approvals.waiting().map((row) => row.expires_at)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Expires one that waits, whatever its time. */
  lapse(tx: Tx, row: ApprovalRow, why: string): void {
    this.close(tx, row, 'expired', null, why)
    if (row.subject_kind === 'plan') this.emitPlan(tx, row)
    else
      move(this.context, tx, row.subject_id, 'expired', { error: { code: 'approval_expired', message: why } })
  }

  /** Takes back the question of an execution that is cancelled before it was decided. */
  withdraw(tx: Tx, executionId: string): void {
    const row = this.context.approvals.of(executionId)
    if (row?.state !== 'awaiting_approval') return
    this.close(tx, row, 'expired', null, 'Cancelled before it was decided.')
  }

  private decideIn(tx: Tx, decision: Decision): Result<ApprovalView> {
    const { context } = this
    const row = context.approvals.row(decision.id)
    if (!row) return fail('approval_not_found', 'There is no such approval.')
    const refused = this.refusal(tx, row, decision)
    if (refused) return refused
    const { route, reason = null } = decision
    const view = this.close(tx, row, decision.decision === 'approve' ? 'approved' : 'denied', route, reason)
    if (decision.decision === 'deny') this.denied(tx, row, reason)
    else this.approved(tx, row, decision)
    return ok(view)
  }

  private refusal(tx: Tx, row: ApprovalRow, decision: Decision): Result<never> | null {
    const { audit } = this.context
    const refuse = (result: Result<never>): Result<never> => {
      audit.append('approval.refused', row.id, decision.route, {
        title: this.subjects.title(row),
        decision: decision.decision,
        hash: decision.hash,
        why: result.ok ? '' : result.error.code
      })
      return result
    }
    if (row.state === 'expired')
      return refuse(fail('approval_expired', `This approval has expired. ${row.reason ?? ''}`.trim()))
    if (row.state !== 'awaiting_approval')
      return refuse(
        fail(
          'approval_decided',
          `This was already ${row.state}${row.route ? ` (${routeWords[row.route]})` : ''}.`,
          undefined,
          {
            state: row.state,
            route: row.route,
            decidedAt: row.decided_at
          }
        )
      )
    const overdue = this.overdue(row)
    if (overdue !== null) {
      this.lapse(tx, row, overdue)
      return refuse(fail('approval_expired', overdue, 'Ask for it again.'))
    }
    if (row.hash !== decision.hash)
      return refuse(
        fail(
          'approval_changed',
          'What was shown is not what waits for approval. Nothing was decided.',
          'Look at the card again.'
        )
      )
    if (decision.decision === 'deny') return null
    const hash = this.subjects.hashNow(row)
    if (!hash.ok && hash.error.code === 'record_damaged') {
      this.lapse(tx, row, 'Its record is damaged.')
      return refuse(hash)
    }
    if (!hash.ok || hash.value !== row.hash) {
      this.lapse(tx, row, 'What it rests on has changed since it was asked.')
      return refuse(
        fail(
          'approval_changed',
          'The host, its key or its user has changed since this was asked. Nothing runs.',
          'Ask for it again.'
        )
      )
    }
    if (decision.route === 'chat_assent' && row.risk === 'destructive')
      return refuse(fail('assent_not_enough', 'A destructive action is approved on its card only.'))
    if (row.confirm_name !== null && decision.confirmName?.trim() !== row.confirm_name)
      return refuse(
        fail(
          'confirm_name_wrong',
          `Type ${row.confirm_name} to approve this destructive action.`,
          undefined,
          {
            expected: row.confirm_name
          }
        )
      )
    return null
  }

  private approved(tx: Tx, row: ApprovalRow, { route, allowMinutes }: Decision): void {
    const { context } = this
    if (row.session_id !== null) this.windows.renew(tx, row.session_id, route, this.subjects.scope(row))
    if (row.subject_kind === 'plan') {
      this.planDecided(tx, row, route)
      return
    }
    if (allowMinutes !== undefined && row.risk !== 'destructive')
      context.allowances.give(tx, row, allowMinutes, route)
    if (move(context, tx, row.subject_id, 'approved', { approvedAt: context.clock.now() }))
      tx.afterCommit(() => this.start(row.subject_id))
  }

  private denied(tx: Tx, row: ApprovalRow, reason: string | null): void {
    const { context } = this
    if (row.session_id !== null) this.windows.closeOnDenial(tx, row.session_id, this.subjects.keys(row))
    const because = reason === null || reason.trim() === '' ? ' (no reason given)' : `: ${reason}`
    if (row.subject_kind === 'plan') {
      const plan = this.emitPlan(tx, row)
      this.tell(row, `plan ${row.subject_id} "${plan?.title ?? ''}" was denied by the operator${because}`)
      return
    }
    const view = move(context, tx, row.subject_id, 'denied')
    if (view)
      this.tell(
        row,
        `execution ${view.id} (${view.action} ${view.target}) was denied by the operator${because}`
      )
  }

  /** With typed assent the operator's message itself starts the turn; otherwise the watcher has to. */
  private planDecided(tx: Tx, row: ApprovalRow, route: ApprovalRoute): void {
    const plan = this.emitPlan(tx, row)
    if (route !== 'chat_assent')
      this.tell(
        row,
        `plan ${row.subject_id} "${plan?.title ?? ''}" was approved by the operator; carry it out, beginning with step 1`
      )
  }

  private emitPlan(tx: Tx, row: ApprovalRow) {
    const plan = this.context.plans.view(row.subject_id)
    if (plan) tx.emit({ type: 'plan.changed', plan })
    return plan
  }

  private tell(row: ApprovalRow, note: string): void {
    tellAgent(this.context.store, { sessionId: row.session_id, cause: 'decision', subjectId: row.id, note })
  }

  private overdue(row: ApprovalRow): string | null {
    const now = this.context.clock.now()
    if (now < row.requested_at) return 'The clock was set back to before it was asked.'
    return now >= row.expires_at ? 'Nobody decided in time.' : null
  }

  private close(
    tx: Tx,
    row: ApprovalRow,
    state: Exclude<ApprovalState, 'awaiting_approval'>,
    route: ApprovalRoute | null,
    reason: string | null
  ): ApprovalView {
    const { context } = this
    if (!context.approvals.decide(row.id, state, context.clock.now(), route, reason))
      throw new Error(`approval ${row.id} was decided meanwhile`)
    context.audit.append(`approval.${state}`, row.id, route, {
      [row.subject_kind]: row.subject_id,
      title: this.subjects.title(row),
      hash: row.hash,
      ...(reason !== null && { reason })
    })
    const view = approvalView(context.approvals.row(row.id) ?? row)
    tx.emit({ type: 'approval.changed', approval: view })
    return view
  }
}

const routeWords: Readonly<Record<NonNullable<ApprovalRow['route']>, string>> = {
  chat: 'in the chat',
  chat_assent: 'by typed assent',
  ops: 'on the Ops page',
  fleet: 'on the Fleet page',
  notification: 'from a notification',
  dialog: 'in the dialog',
  tray: 'from the tray',
  matrix: 'over Matrix',
  window: 'by the open window',
  policy: 'by a rule',
  plan: 'with its plan'
}
