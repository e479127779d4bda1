import type { AllowanceView, ApprovalRoute, Origin } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import { fail, ok, type Result } from '../base/result'
import type { Audit } from '../store/audit'
import type { Store, Tx } from '../store/store'

interface AllowanceRow {
  readonly hash: string
  /** Empty for what the operator asked for outside of any session. */
  readonly session_id: string
  readonly expires_at: number
  readonly approval_id: string
  readonly execution_id: string
  readonly title: string
  readonly target: string
  readonly origin: Origin
  readonly decided_at: number
}

const select = `SELECT a.*, e.id AS execution_id, e.title, e.target, e.origin, p.decided_at FROM allowances a
  JOIN approvals p ON p.id = a.approval_id JOIN executions e ON e.id = p.subject_id`

const minute = 60_000

/** "Allow exactly this": what has this very hash needs no new approval in its session until its time is over. */
export class Allowances {
  constructor(
    private readonly store: Store,
    private readonly audit: Audit,
    private readonly clock: Clock
  ) {}

  /** Given with an approval, over the operator's route. */
  give(
    tx: Tx,
    approval: { readonly id: string; readonly hash: string; readonly session_id: string | null },
    minutes: number,
    route: ApprovalRoute
  ): void {
    const until = this.clock.now() + minutes * minute
    this.store.db
      .prepare(
        `INSERT INTO allowances (hash, session_id, expires_at, approval_id) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, approval_id = excluded.approval_id`
      )
      .run(approval.hash, approval.session_id ?? '', until, approval.id)
    for (const row of this.rows().filter((each) => each.approval_id === approval.id)) {
      this.audit.append('allowance.given', row.approval_id, route, {
        ...{ title: row.title, target: row.target, hash: row.hash, until }
      })
      tx.emit({ type: 'allowance.changed', allowance: viewOf(row), ended: false })
    }
  }

  /**
   * Until when the hash is allowed in the session; null when it is not. Outside of any session it is allowed only to
   * whom it was given: what the operator may do again, a program from outside or a signal may not.
   */
  until(hash: string, sessionId: string | null, origin: Origin): number | null {
    const row = this.rows().find((each) => each.hash === hash && each.session_id === (sessionId ?? ''))
    if (row === undefined || this.isOver(row)) return null
    return sessionId === null && row.origin !== origin ? null : row.expires_at
  }

  /** Ends one before its time. `id` is the id of its approval. Error: `allowance_not_found`. */
  end(tx: Tx, id: string, why: string): Result<null> {
    const row = this.rows().find((each) => each.approval_id === id)
    if (!row) return fail('allowance_not_found', 'This is not allowed beforehand any more.')
    this.remove(tx, row, why)
    return ok(null)
  }

  /** What was allowed in a session goes with its window. */
  endOfSession(tx: Tx, sessionId: string, why: string): void {
    for (const row of this.rows()) if (row.session_id === sessionId) this.remove(tx, row, why)
  }

  /** Ends those that are meant. */
  endWhere(
    tx: Tx,
    why: string,
    isMeant: (row: Pick<AllowanceRow, 'hash' | 'execution_id'>) => boolean
  ): void {
    for (const row of this.rows()) if (isMeant(row)) this.remove(tx, row, why)
  }

  expire(tx: Tx): void {
    for (const row of this.rows())
      if (this.isOver(row))
        this.remove(tx, row, this.isOfLater(row) ? 'The clock was set back.' : 'Its time is over.')
  }

  nextDeadline(): number | null {
    const times = this.rows().map((row) => row.expires_at)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Those in force. */
  all(): AllowanceView[] {
    return this.rows()
      .filter((row) => !this.isOver(row))
      .map(viewOf)
  }

  private readonly isOver = (row: AllowanceRow): boolean =>
    row.expires_at <= this.clock.now() || this.isOfLater(row)

  /** Given at a time that is not yet. */
  private readonly isOfLater = (row: AllowanceRow): boolean => this.clock.now() < row.decided_at

  private remove(tx: Tx, row: AllowanceRow, why: string): void {
    this.store.db.prepare('DELETE FROM allowances WHERE approval_id = ?').run(row.approval_id)
    this.audit.append('allowance.ended', row.approval_id, null, {
      ...{ title: row.title, target: row.target, hash: row.hash, why }
    })
    tx.emit({ type: 'allowance.changed', allowance: viewOf(row), ended: true })
  }

  private rows(): AllowanceRow[] {
    return this.store.db.prepare<[], AllowanceRow>(`${select} ORDER BY a.expires_at`).all()
  }
}

const viewOf = (row: AllowanceRow): AllowanceView => ({
  id: row.approval_id,
  executionId: row.execution_id,
  sessionId: row.session_id === '' ? null : row.session_id,
  title: row.title,
  target: row.target,
  expiresAt: row.expires_at
})
