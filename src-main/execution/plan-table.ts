import type BetterSqlite3 from 'better-sqlite3'
import type {
  ApprovalState,
  ExecutionState,
  PlanStepView,
  PlanView,
  RiskClass
} from '../../src-preload/contract'
import { placeShown, shownCommands, shownParams } from './execution-row'

interface PlanRow {
  readonly id: string
  readonly session_id: string
  readonly title: string
  readonly summary: string
  readonly hash: string
  readonly created_at: number
  readonly approval_id: string
  readonly approval_state: ApprovalState
}

export interface PlanStepRow {
  readonly plan_id: string
  readonly idx: number
  readonly action: string
  readonly target: string
  readonly host: string
  readonly vmid: number | null
  readonly guest_name: string | null
  readonly title: string
  readonly risk: RiskClass
  readonly params: string
  readonly prepared: string
  /** The params as they were proposed. */
  readonly requested: string
  readonly commands: string
  readonly why: string
  readonly undo: string
  readonly hash: string
  readonly execution_id: string | null
  readonly execution_state: ExecutionState | null
}

export type NewPlanStep = Omit<PlanStepRow, 'plan_id' | 'execution_id' | 'execution_state'>

const select = `SELECT p.*, a.id AS approval_id, a.state AS approval_state
  FROM plans p JOIN approvals a ON a.subject_id = p.id`

/** The tables of plans and their steps. Steps are numbered from 1. */
export class PlanTable {
  constructor(private readonly db: BetterSqlite3.Database) {}

  /** Writes the plan; its approval has to be written in the same transaction. */
  insert(plan: Omit<PlanRow, 'approval_id' | 'approval_state'>, steps: readonly NewPlanStep[]): void {
    this.db
      .prepare(
        `INSERT INTO plans (id, session_id, title, summary, hash, created_at)
        VALUES (@id, @session_id, @title, @summary, @hash, @created_at)`
      )
      .run(plan)
    const insert = this.db.prepare(
      `INSERT INTO plan_steps (plan_id, idx, action, target, host, vmid, guest_name, title, risk, params, prepared, requested, commands,
        why, undo, hash)
      VALUES (@plan_id, @idx, @action, @target, @host, @vmid, @guest_name, @title, @risk, @params, @prepared, @requested, @commands,
        @why, @undo, @hash)`
    )
    for (const step of steps) insert.run({ ...step, plan_id: plan.id })
  }

  view(id: string): PlanView | null {
    const row = this.db.prepare<[string], PlanRow>(`${select} WHERE p.id = ?`).get(id)
    return row ? this.viewOf(row) : null
  }

  ofSession(sessionId: string): PlanView[] {
    return this.db
      .prepare<[string], PlanRow>(`${select} WHERE p.session_id = ? ORDER BY p.id`)
      .all(sessionId)
      .map((row) => this.viewOf(row))
  }

  waiting(): PlanView[] {
    return this.db
      .prepare<[], PlanRow>(`${select} WHERE a.state = 'awaiting_approval' ORDER BY p.id`)
      .all()
      .map((row) => this.viewOf(row))
  }

  /** Approved plans of a session, newest first. */
  approvedOf(sessionId: string): PlanView[] {
    return this.db
      .prepare<[string], PlanRow>(
        `${select} WHERE p.session_id = ? AND a.state = 'approved' ORDER BY p.id DESC`
      )
      .all(sessionId)
      .map((row) => this.viewOf(row))
  }

  steps(planId: string): PlanStepRow[] {
    return this.db
      .prepare<[string], PlanStepRow>(
        `SELECT s.*, e.state AS execution_state FROM plan_steps s LEFT JOIN executions e ON e.id = s.execution_id
        WHERE s.plan_id = ? ORDER BY s.idx`
      )
      .all(planId)
  }

  /** Steps that wait or may still run, of plans that wait or are approved: what they will create is reserved. */
  unusedSteps(): PlanStepRow[] {
    return this.db
      .prepare<[], PlanStepRow>(
        `SELECT s.*, NULL AS execution_state FROM plan_steps s JOIN approvals a ON a.subject_id = s.plan_id
        WHERE s.execution_id IS NULL AND a.state IN ('awaiting_approval', 'approved')`
      )
      .all()
  }

  /** The step's newest execution. */
  setExecution(planId: string, step: number, executionId: string): void {
    this.db
      .prepare('UPDATE plan_steps SET execution_id = ? WHERE plan_id = ? AND idx = ?')
      .run(executionId, planId, step)
  }

  private viewOf(row: PlanRow): PlanView {
    return {
      id: row.id,
      sessionId: row.session_id,
      title: row.title,
      summary: row.summary,
      hash: row.hash,
      state: row.approval_state,
      approvalId: row.approval_id,
      createdAt: row.created_at,
      steps: this.steps(row.id).map(stepView)
    }
  }
}

const stepView = (row: PlanStepRow): PlanStepView => ({
  index: row.idx,
  action: row.action,
  target: row.target,
  ...placeShown(row.prepared, row),
  title: row.title,
  risk: row.risk,
  params: shownParams(row.params),
  commands: shownCommands(row.commands),
  why: row.why,
  undo: row.undo,
  hash: row.hash,
  executionId: row.execution_id,
  executionState: row.execution_state
})
