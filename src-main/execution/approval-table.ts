import type BetterSqlite3 from 'better-sqlite3'
import type { ApprovalState, ApprovalView, RiskClass, Saying } from '../../src-preload/contract'
import { readJson } from '../base/json'

export interface ApprovalRow {
  readonly id: string
  readonly subject_kind: 'execution' | 'plan'
  readonly subject_id: string
  readonly session_id: string | null
  readonly hash: string
  readonly risk: RiskClass
  readonly rule: string
  /** JSON: what the rule says, sentence by sentence. */
  readonly rule_said: string
  readonly state: ApprovalState
  readonly confirm_name: string | null
  readonly requested_at: number
  readonly expires_at: number
  readonly decided_at: number | null
  readonly route: ApprovalView['route']
  readonly reason: string | null
}

/** The table of approvals. */
export class ApprovalTable {
  constructor(private readonly db: BetterSqlite3.Database) {}

  insert(row: ApprovalRow): void {
    this.db
      .prepare(
        `INSERT INTO approvals (id, subject_kind, subject_id, session_id, hash, risk, rule, rule_said, state, confirm_name,
          requested_at, expires_at, decided_at, route, reason)
        VALUES (@id, @subject_kind, @subject_id, @session_id, @hash, @risk, @rule, @rule_said, @state, @confirm_name,
          @requested_at, @expires_at, @decided_at, @route, @reason)`
      )
      .run(row)
  }

  row(id: string): ApprovalRow | null {
    return this.db.prepare<[string], ApprovalRow>('SELECT * FROM approvals WHERE id = ?').get(id) ?? null
  }

  /** The approval of an execution or a plan. */
  of(subjectId: string): ApprovalRow | null {
    return (
      this.db.prepare<[string], ApprovalRow>('SELECT * FROM approvals WHERE subject_id = ?').get(subjectId) ??
      null
    )
  }

  /** The one compare-and-set: only what still waits can be decided. */
  decide(
    id: string,
    state: Exclude<ApprovalState, 'awaiting_approval'>,
    at: number,
    route: ApprovalView['route'],
    reason: string | null
  ): boolean {
    return (
      this.db
        .prepare(
          `UPDATE approvals SET state = ?, decided_at = ?, route = ?, reason = ?
          WHERE id = ? AND state = 'awaiting_approval'`
        )
        .run(state, at, route, reason, id).changes === 1
    )
  }

  waiting(): ApprovalRow[] {
    return this.db
      .prepare<[], ApprovalRow>("SELECT * FROM approvals WHERE state = 'awaiting_approval' ORDER BY id")
      .all()
  }

  ofSession(sessionId: string): ApprovalRow[] {
    return this.db
      .prepare<[string], ApprovalRow>('SELECT * FROM approvals WHERE session_id = ? ORDER BY id')
      .all(sessionId)
  }
}

export const approvalView = (row: ApprovalRow): ApprovalView => ({
  id: row.id,
  subject: { kind: row.subject_kind, id: row.subject_id },
  sessionId: row.session_id,
  hash: row.hash,
  risk: row.risk,
  state: row.state,
  rule: row.rule,
  ruleSaid: (readJson(row.rule_said) as readonly Saying[] | undefined) ?? [],
  requestedAt: row.requested_at,
  expiresAt: row.expires_at,
  decidedAt: row.decided_at,
  route: row.route,
  reason: row.reason,
  confirmName: row.confirm_name
})
