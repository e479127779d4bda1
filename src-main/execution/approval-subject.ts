import { findAction } from './actions/registry'
import type { ApprovalRow } from './approval-table'
import type { Context } from './context'
import { preparedOf, titleOf } from './execution-row'
import type { PlanScopes } from './plans'
import { currentHash } from './recheck'
import { coverKeys, scopeOf, type ScopeEntry } from './scope'

/** What an approval is about: one execution, or a plan as a whole. */
export class ApprovalSubjects {
  constructor(
    private readonly context: Context,
    private readonly planScopes: PlanScopes
  ) {}

  /** What is decided, in words. */
  title(row: ApprovalRow): string {
    if (row.subject_kind === 'plan') return this.context.plans.view(row.subject_id)?.title ?? ''
    const execution = this.context.executions.row(row.subject_id)
    return execution ? titleOf(execution) : ''
  }

  /** The hash of what would run as things are now; a plan's steps are checked when each is requested. */
  hashNow(row: ApprovalRow): string | null {
    if (row.subject_kind === 'plan') return row.hash
    const execution = this.context.executions.row(row.subject_id)
    return execution && currentHash(this.context, execution)
  }

  /** What approving it puts into the window's scope. */
  scope(row: ApprovalRow): readonly ScopeEntry[] {
    return row.subject_kind === 'plan'
      ? this.planScopes.scopeOf(row.subject_id)
      : (this.ofExecution(row, scopeOf) ?? [])
  }

  /** Everything that it acts on: what a denial closes windows over. */
  keys(row: ApprovalRow): readonly string[] {
    const covering = row.subject_kind === 'plan' ? [] : (this.ofExecution(row, coverKeys) ?? [])
    return [...this.scope(row).map((entry) => entry.key), ...covering]
  }

  hosts(row: ApprovalRow): readonly string[] {
    if (row.subject_kind === 'plan') return this.context.plans.steps(row.subject_id).map((step) => step.host)
    const execution = this.context.executions.row(row.subject_id)
    return execution ? [execution.host] : []
  }

  private ofExecution<T>(row: ApprovalRow, of: (...args: Parameters<typeof scopeOf>) => T): T | null {
    const execution = this.context.executions.row(row.subject_id)
    const action = execution && findAction(execution.action)
    return execution && action?.ok ? of(action.value, preparedOf(execution)) : null
  }
}
