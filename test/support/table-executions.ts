import type {
  ApprovalView,
  AssentWindowView,
  ExecutionState,
  ExecutionView
} from '../../src-preload/contract'
import { newId } from '../../src-main/base/ids'
import { fail, ok } from '../../src-main/base/result'
import type { Executions } from '../../src-main/execution/port'
import type { Store } from '../../src-main/store/store'

export interface TableExecutions {
  readonly executions: Executions
  /** Opens a window for a session. */
  openWindow(sessionId: string, minutes?: number): AssentWindowView
  /** Writes an execution in a terminal state with its result for the agent, as one transaction. */
  ends(
    sessionId: string,
    state: ExecutionState,
    about?: { action?: string; target?: string; note?: string }
  ): string
  /** Writes a decision that the agent has to hear of. */
  /** What failed was requested again by itself and waits. Gives the id of the new one. */
  asksAnew(sessionId: string, failed: string): string
  decides(sessionId: string, note: string): void
  /** Writes an approval of the operator. */
  approves(sessionId: string, at: number): void
  /** Writes an approval that waits. */
  asks(sessionId: string): void
  /** What the next typed message assents to. */
  nextAssent: ApprovalView | null
}

/** Executions that exist only as rows: what the agent's own tests need of them, without hosts. */
export function tableExecutions(store: Store): TableExecutions {
  const { db, clock } = store
  const never = (): never => {
    throw new Error('not part of these tests')
  }
  const windowOf = (sessionId: string): AssentWindowView | null => {
    const row = db
      .prepare<
        [string, number],
        { id: string; opened_at: number; expires_at: number; continuations: number }
      >('SELECT * FROM assent_windows WHERE session_id = ? AND ended_at IS NULL AND expires_at > ?')
      .get(sessionId, clock.now())
    return row
      ? {
          id: row.id,
          sessionId,
          openedAt: row.opened_at,
          expiresAt: row.expires_at,
          endedAt: null,
          endedWhy: null,
          scope: [],
          continuations: row.continuations
        }
      : null
  }
  const tell = (sessionId: string, cause: string, subject: string, note: string) =>
    db
      .prepare(
        `INSERT INTO continuations (id, session_id, cause, subject_id, note, state, created_at) VALUES (?, ?, ?, ?, ?, 'pending', ?)`
      )
      .run(newId(), sessionId, cause, subject, note, clock.now())

  const made: TableExecutions = {
    nextAssent: null,
    openWindow(sessionId, minutes = 30) {
      store.transact((tx) => {
        const now = clock.now()
        db.prepare(
          `INSERT INTO assent_windows (id, session_id, opened_at, expires_at, route, scope) VALUES (?, ?, ?, ?, 'chat', '[]')`
        ).run(newId(), sessionId, now, now + minutes * 60_000)
        const assent = windowOf(sessionId)
        if (assent) tx.emit({ type: 'assent.changed', assent })
      })
      return windowOf(sessionId) ?? never()
    },
    ends(sessionId, state, { action = 'pct_create', target = 'lxc:typetype', note } = {}) {
      const id = newId()
      const now = clock.now()
      store.transact((tx) => {
        db.prepare(
          `INSERT INTO executions (id, session_id, origin, action, target, host, title, params, facts, risk, commands, why, undo, hash, state, requested_at, ended_at)
           VALUES (?, ?, 'agent', ?, ?, 'strong', ?, '{}', '{}', 'config_mutation', '[]', '', '', 'hash', ?, ?, ?)`
        ).run(id, sessionId, action, target, `${action} ${target}`, state, now, now)
        tell(sessionId, 'execution', id, note ?? `execution ${id} (${action} ${target}) ${state}`)
        tx.emit({
          type: 'execution.changed',
          execution: executionView(id, sessionId, action, target, state, now)
        })
      })
      return id
    },
    asksAnew(sessionId, failed) {
      const id = newId()
      db.prepare(
        `INSERT INTO executions (id, session_id, origin, action, target, host, title, params, facts, risk, commands, why, undo, hash, state, retry_of, requested_at)
         VALUES (?, ?, 'agent', 'pct_create', 'lxc:typetype', 'strong', '', '{}', '{}', 'config_mutation', '[]', '', '', 'hash', 'awaiting_approval', ?, ?)`
      ).run(id, sessionId, failed, clock.now())
      return id
    },
    decides(sessionId, note) {
      store.transact((tx) => {
        const id = newId()
        tell(sessionId, 'decision', id, note)
        tx.emit({ type: 'approval.changed', approval: approvalView(id, sessionId, clock.now()) })
      })
    },
    asks(sessionId) {
      store.transact((tx) => {
        made.approves(sessionId, clock.now())
        db.prepare(
          `UPDATE approvals SET state = 'awaiting_approval', decided_at = NULL, route = NULL WHERE session_id = ?`
        ).run(sessionId)
        tx.emit({ type: 'approval.changed', approval: approvalView(newId(), sessionId, clock.now()) })
      })
    },
    approves(sessionId, at) {
      db.prepare(
        `INSERT INTO approvals (id, subject_kind, subject_id, session_id, hash, risk, rule, state, requested_at, expires_at, decided_at, route)
         VALUES (?, 'plan', ?, ?, 'hash', 'config_mutation', '', 'approved', ?, ?, ?, 'chat')`
      ).run(newId(), newId(), sessionId, at, at + 1, at)
    },
    executions: {
      actions: () => [],
      request: never,
      requestPlanStep: never,
      proposePlan: never,
      decide: never,
      assent: () => (made.nextAssent ? ok([made.nextAssent]) : null),
      cancel: never,
      rerun: never,
      get: () => fail('execution_not_found', 'no such execution'),
      list: () => ({ executions: [], total: 0 }),
      open: () => [],
      plan: () => fail('plan_not_found', 'no such plan'),
      plansOf: () => [],
      waitingPlans: () => [],
      approval: never,
      approvalsOf: () => [],
      waitingApprovals: () => [],
      output: never,
      outputForModel: never,
      settled: never,
      markDelivered: never,
      window: windowOf,
      windows: () => [],
      allowances: () => [],
      endAllowance: never,
      endWindow(id, why) {
        const row = db
          .prepare<[string], { session_id: string }>('SELECT session_id FROM assent_windows WHERE id = ?')
          .get(id)
        const before = row && windowOf(row.session_id)
        if (!before) return fail('window_not_found', 'There is no such window.')
        const assent = { ...before, endedAt: clock.now(), endedWhy: why }
        store.transact((tx) => {
          db.prepare('UPDATE assent_windows SET ended_at = ?, ended_why = ? WHERE id = ?').run(
            clock.now(),
            why,
            id
          )
          tx.emit({ type: 'assent.changed', assent })
        })
        return ok(assent)
      },
      audit: { list: () => [], verify: never, export: never },
      recover: () => Promise.resolve(),
      wake: () => undefined,
      close: () => Promise.resolve()
    }
  }
  return made
}

const executionView = (
  id: string,
  sessionId: string,
  action: string,
  target: string,
  state: ExecutionState,
  now: number
): ExecutionView => ({
  id,
  sessionId,
  planId: null,
  planStep: null,
  origin: 'agent',
  action,
  target,
  host: 'strong',
  node: 'strong',
  found: {},
  vmid: null,
  guestName: null,
  title: `${action} ${target}`,
  params: {},
  risk: 'config_mutation',
  commands: [],
  why: '',
  undo: '',
  hash: 'hash',
  state,
  step: null,
  percent: null,
  requestedAt: now,
  startedAt: now,
  endedAt: now,
  exitCode: 0,
  error: null,
  verification: null,
  waitsFor: null,
  retryOf: null,
  outputBytes: 0,
  approvalId: null
})

export const approvalView = (id: string, sessionId: string, now: number): ApprovalView => ({
  id,
  subject: { kind: 'plan', id },
  sessionId,
  hash: 'hash',
  risk: 'config_mutation',
  state: 'approved',
  rule: '',
  ruleSaid: [],
  requestedAt: now,
  expiresAt: now + 1,
  decidedAt: now,
  route: 'chat',
  reason: null,
  confirmName: null
})
