import type BetterSqlite3 from 'better-sqlite3'
import type { ExecutionState, ExecutionView } from '../../src-preload/contract'
import { executionView, type ExecutionChange, type ExecutionRow, type NewExecution } from './execution-row'
import type { ExecutionFilter } from './port'
import { openStates } from './states'

const columns: Readonly<Record<keyof ExecutionChange, string>> = {
  step: 'step',
  percent: 'percent',
  approvedAt: 'approved_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  deadlineAt: 'deadline_at',
  cancelRequestedAt: 'cancel_requested_at',
  exitCode: 'exit_code',
  error: 'error',
  verification: 'verification',
  outputBytes: 'output_bytes',
  cleanedAt: 'cleaned_at',
  waitsFor: 'waits_for'
}

const select =
  'SELECT e.*, a.id AS approval_id FROM executions e LEFT JOIN approvals a ON a.subject_id = e.id'
const open = openStates.map((state) => `'${state}'`).join(', ')

const filters: Readonly<Record<NonNullable<ExecutionFilter['state']>, string>> = {
  all: '1',
  active: "e.state IN ('approved', 'starting', 'running', 'unknown')",
  waiting: "e.state = 'awaiting_approval'",
  succeeded: "e.state = 'succeeded'",
  failed: "e.state IN ('failed', 'timed_out', 'cancelled', 'interrupted', 'lost', 'denied', 'expired')"
}

/** The table of executions. Reads and writes rows; what may follow what is decided elsewhere. */
export class ExecutionTable {
  constructor(private readonly db: BetterSqlite3.Database) {}

  row(id: string): ExecutionRow | null {
    return this.db.prepare<[string], ExecutionRow>(`${select} WHERE e.id = ?`).get(id) ?? null
  }

  insert({ prepared, ...execution }: NewExecution): void {
    this.db
      .prepare(
        `INSERT INTO executions (id, session_id, plan_id, plan_step, origin, action, target, host, cluster, vmid,
          guest_name, title, requested, params, facts, risk, commands, why, tainted, undo, hash, state, retry_of, requested_at, approved_at)
        VALUES (@id, @sessionId, @planId, @planStep, @origin, @action, @target, @host, @cluster, @vmid,
          @guestName, @title, @requested, @params, @facts, @risk, @commands, @why, @tainted, @undo, @hash, @state, @retryOf, @at, @approvedAt)`
      )
      .run({
        ...execution,
        tainted: execution.tainted ? 1 : 0,
        params: JSON.stringify(prepared.params),
        facts: JSON.stringify({ place: prepared.place, facts: prepared.facts }),
        commands: JSON.stringify(execution.commands),
        approvedAt: execution.state === 'approved' ? execution.at : null
      })
  }

  /** Compare-and-set of the state, with what comes with it. False when the state was another one. */
  setState(
    id: string,
    from: readonly ExecutionState[],
    to: ExecutionState,
    change: ExecutionChange
  ): boolean {
    const list = from.map((state) => `'${state}'`).join(', ')
    return this.write(id, change, to, `state IN (${list})`)
  }

  /** Changes fields of an execution that has not ended. */
  update(id: string, change: ExecutionChange): boolean {
    return this.write(id, change, null, `state IN (${open})`)
  }

  /** Notes that the job's folder on the host is gone. */
  markCleaned(id: string, at: number): void {
    this.write(id, { cleanedAt: at }, null, '1')
  }

  /** The same request that has not ended yet, by the same session. */
  openTwin(sessionId: string | null, action: string, target: string, requested: string): ExecutionRow | null {
    return (
      this.db
        .prepare<unknown[], ExecutionRow>(
          `${select} WHERE e.state IN (${open}) AND e.session_id IS ? AND e.action = ? AND e.target = ?
          AND e.requested = ? ORDER BY e.id LIMIT 1`
        )
        .get(sessionId, action, target, requested) ?? null
    )
  }

  /** What would run the same and has not ended yet, by the same session. */
  openWithHash(sessionId: string | null, hash: string): ExecutionRow | null {
    return (
      this.db
        .prepare<unknown[], ExecutionRow>(
          `${select} WHERE e.state IN (${open}) AND e.session_id IS ? AND e.hash = ? ORDER BY e.id LIMIT 1`
        )
        .get(sessionId, hash) ?? null
    )
  }

  inStates(states: readonly ExecutionState[]): ExecutionRow[] {
    const list = states.map((state) => `'${state}'`).join(', ')
    return this.db.prepare<[], ExecutionRow>(`${select} WHERE e.state IN (${list}) ORDER BY e.id`).all()
  }

  /** Ended before `endedBefore`, started on their host, folder not removed there yet. */
  uncleaned(endedBefore: number, limit: number): ExecutionRow[] {
    return this.db
      .prepare<[number, number], ExecutionRow>(
        `${select} WHERE e.started_at IS NOT NULL AND e.cleaned_at IS NULL AND e.ended_at < ? ORDER BY e.id LIMIT ?`
      )
      .all(endedBefore, limit)
  }

  list(filter: ExecutionFilter): { executions: readonly ExecutionView[]; total: number } {
    const where = [filters[filter.state ?? 'all']]
    const values: Record<string, string | number> = {}
    if (filter.sessionId !== undefined) {
      where.push('e.session_id = @session')
      values['session'] = filter.sessionId
    }
    if (filter.guest !== undefined) {
      where.push('e.cluster = @cluster AND e.vmid = @vmid')
      Object.assign(values, filter.guest)
    }
    if (filter.actions !== undefined) {
      where.push('e.action IN (SELECT value FROM json_each(@actions))')
      values['actions'] = JSON.stringify(filter.actions)
    }
    if (filter.query !== undefined && filter.query.trim() !== '') {
      where.push(
        "(e.title || ' ' || e.target || ' ' || e.host || ' ' || e.action || ' ' || e.why || ' ' || ifnull(e.error, '')) LIKE @query ESCAPE '\\'"
      )
      values['query'] = `%${filter.query.trim().replace(/[\\%_]/g, '\\$&')}%`
    }
    const counted = this.db
      .prepare<[Record<string, string | number>], { total: number }>(
        `SELECT count(*) AS total FROM executions e WHERE ${where.join(' AND ')}`
      )
      .get(values)
    if (filter.before !== undefined) {
      where.push('e.id < @before')
      values['before'] = filter.before
    }
    const rows = this.db
      .prepare<[Record<string, string | number>], ExecutionRow>(
        `${select} WHERE ${where.join(' AND ')} ORDER BY e.id DESC LIMIT @limit`
      )
      .all({ ...values, limit: Math.min(filter.limit ?? 50, 500) })
    return { executions: rows.map(executionView), total: counted?.total ?? 0 }
  }

  private write(
    id: string,
    change: ExecutionChange,
    state: ExecutionState | null,
    condition: string
  ): boolean {
    const fields = Object.entries(change).filter(([, value]) => value !== undefined)
    const sets = fields.map(([name]) => `${columns[name as keyof ExecutionChange]} = ?`)
    const values = fields.map(([, value]) =>
      isObject(value) ? JSON.stringify(value) : (value as string | number | null)
    )
    if (state !== null) {
      sets.push('state = ?')
      values.push(state)
    }
    if (sets.length === 0) return true
    const sql = `UPDATE executions SET ${sets.join(', ')} WHERE id = ? AND ${condition}`
    return this.db.prepare(sql).run(...values, id).changes === 1
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
