import type BetterSqlite3 from 'better-sqlite3'
import type {
  AppError,
  CommandLine,
  ExecutionState,
  ExecutionView,
  Origin,
  RiskClass,
  Verification
} from '../../src-preload/contract'
import { redact } from '../base/redact'
import type { ActionPlace, PreparedAction } from './actions/action'
import type { ExecutionFilter } from './port'
import { openStates } from './states'

/** A row of `executions`, with the id of its approval. */
export interface ExecutionRow {
  readonly id: string
  readonly session_id: string | null
  readonly plan_id: string | null
  readonly plan_step: number | null
  readonly origin: Origin
  readonly action: string
  readonly target: string
  readonly host: string
  readonly cluster: string | null
  readonly vmid: number | null
  readonly guest_name: string | null
  readonly title: string
  readonly requested: string
  readonly params: string
  readonly facts: string
  readonly risk: RiskClass
  readonly commands: string
  readonly why: string
  readonly undo: string
  readonly hash: string
  readonly state: ExecutionState
  readonly step: string | null
  readonly percent: number | null
  readonly requested_at: number
  readonly approved_at: number | null
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly deadline_at: number | null
  readonly cancel_requested_at: number | null
  readonly exit_code: number | null
  readonly error: string | null
  readonly verification: string | null
  readonly output_bytes: number
  readonly cleaned_at: number | null
  readonly approval_id: string | null
}

/** What is written when an execution is requested; everything else comes with its transitions. */
export interface NewExecution {
  readonly id: string
  readonly sessionId: string | null
  readonly planId: string | null
  readonly planStep: number | null
  readonly origin: Origin
  readonly action: string
  readonly target: string
  readonly host: string
  readonly cluster: string
  readonly vmid: number | null
  readonly guestName: string | null
  readonly title: string
  /** Canonical JSON of the params as they were asked for. */
  readonly requested: string
  readonly prepared: PreparedAction<unknown, unknown>
  readonly risk: RiskClass
  readonly commands: readonly CommandLine[]
  readonly why: string
  readonly undo: string
  readonly hash: string
  readonly state: 'awaiting_approval' | 'approved'
  readonly at: number
}

/** Fields that a transition or a sign of progress may change. */
export interface ExecutionChange {
  readonly step?: string | null
  readonly percent?: number | null
  readonly approvedAt?: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly deadlineAt?: number
  readonly cancelRequestedAt?: number
  readonly exitCode?: number | null
  readonly error?: AppError | null
  readonly verification?: Verification | null
  readonly outputBytes?: number
  readonly cleanedAt?: number
}

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
  cleanedAt: 'cleaned_at'
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
          guest_name, title, requested, params, facts, risk, commands, why, undo, hash, state, requested_at, approved_at)
        VALUES (@id, @sessionId, @planId, @planStep, @origin, @action, @target, @host, @cluster, @vmid,
          @guestName, @title, @requested, @params, @facts, @risk, @commands, @why, @undo, @hash, @state, @at, @approvedAt)`
      )
      .run({
        ...execution,
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

/** What the action was given when it was prepared, read back from the row. */
export function preparedOf(row: ExecutionRow): PreparedAction<unknown, unknown> {
  const { place, facts } = JSON.parse(row.facts) as { place: ActionPlace; facts: unknown }
  return { place, facts, params: JSON.parse(row.params) as unknown }
}

/** What it does, in words, for records that are kept for good: without secrets. */
export const titleOf = (row: Pick<ExecutionRow, 'title'>): string => redact(row.title)

export const commandsOf = (row: Pick<ExecutionRow, 'commands'>): readonly CommandLine[] =>
  JSON.parse(row.commands) as CommandLine[]

export const executionView = (row: ExecutionRow): ExecutionView => ({
  id: row.id,
  sessionId: row.session_id,
  planId: row.plan_id,
  planStep: row.plan_step,
  origin: row.origin,
  action: row.action,
  target: row.target,
  host: row.host,
  vmid: row.vmid,
  guestName: row.guest_name,
  title: row.title,
  params: JSON.parse(row.params) as Record<string, unknown>,
  risk: row.risk,
  commands: commandsOf(row),
  why: row.why,
  undo: row.undo,
  hash: row.hash,
  state: row.state,
  step: row.step,
  percent: row.percent,
  requestedAt: row.requested_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  exitCode: row.exit_code,
  error: row.error === null ? null : (JSON.parse(row.error) as AppError),
  verification: row.verification === null ? null : (JSON.parse(row.verification) as Verification),
  outputBytes: row.output_bytes,
  approvalId: row.approval_id
})
