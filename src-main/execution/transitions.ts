import { isTerminal, type ExecutionState, type ExecutionView } from '../../src-preload/contract'
import type { Tx } from '../store/store'
import type { Context } from './context'
import { resultNote, tellAgent } from './outbox'
import { follows } from './states'
import { executionView, titleOf, type ExecutionChange } from './execution-row'

/** Entries of the audit trail that a new state makes by itself; approvals write their own. */
const audited: Partial<Record<ExecutionState, string>> = {
  starting: 'execution.starting',
  running: 'execution.running',
  succeeded: 'execution.succeeded',
  failed: 'execution.failed',
  timed_out: 'execution.timed_out',
  cancelled: 'execution.cancelled',
  interrupted: 'execution.interrupted',
  lost: 'execution.lost'
}

/**
 * Moves an execution to a new state: compare-and-set, event, audit entry and, when it is the end, the row for the
 * watcher, all in the caller's transaction. Null, and nothing changed, when it is not in a state that may precede.
 * `output` is what the job printed, as plain text.
 */
export function move(
  context: Context,
  tx: Tx,
  id: string,
  to: ExecutionState,
  change: ExecutionChange = {},
  output = ''
): ExecutionView | null {
  const before = context.executions.row(id)
  if (!before || !follows[before.state].includes(to)) return null
  const ended = isTerminal(to) ? { endedAt: context.clock.now() } : {}
  const waited = before.waits_for === null ? {} : { waitsFor: null }
  if (!context.executions.setState(id, [before.state], to, { ...ended, ...waited, ...change })) return null
  const view = announce(context, tx, id)
  const kind = audited[to]
  if (kind && !(to === 'running' && before.state === 'unknown'))
    context.audit.append(kind, id, null, auditData(view))
  // A denial is told by its decision, an expiry by the state itself.
  if (isTerminal(to) && to !== 'denied' && to !== 'expired')
    tellAgent(context.store, {
      sessionId: view.sessionId,
      cause: 'execution',
      subjectId: id,
      note: resultNote(view, to, view.planId === null ? null : context.plans.view(view.planId), output)
    })
  return view
}

/** `move` as a transaction of its own. */
export function transition(
  context: Context,
  id: string,
  to: ExecutionState,
  change: ExecutionChange = {},
  output = ''
): ExecutionView | null {
  return context.store.transact((tx) => move(context, tx, id, to, change, output))
}

/** Changes fields of an execution that has not ended, and shows it. */
export function update(context: Context, tx: Tx, id: string, change: ExecutionChange): ExecutionView | null {
  if (!context.executions.update(id, change)) return null
  return announce(context, tx, id)
}

/** Emits the execution as it is now, and the plan whose step it is. */
export function announce(context: Context, tx: Tx, id: string): ExecutionView {
  const row = context.executions.row(id)
  if (!row) throw new Error(`execution ${id} is gone`)
  const view = executionView(row)
  tx.emit({ type: 'execution.changed', execution: view })
  if (row.plan_id !== null) {
    const plan = context.plans.view(row.plan_id)
    if (plan) tx.emit({ type: 'plan.changed', plan })
  }
  return view
}

const auditData = (view: ExecutionView): Record<string, unknown> => ({
  title: titleOf(view),
  action: view.action,
  target: view.target,
  host: view.host,
  vmid: view.vmid,
  hash: view.hash,
  ...(view.exitCode !== null && { exitCode: view.exitCode }),
  ...(view.error && { error: view.error.code }),
  ...(view.verification && { verified: view.verification.ok })
})
