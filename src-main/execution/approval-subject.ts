import { findAction } from './actions/registry'
import type { ApprovalRow } from './approval-table'
import type { Context } from './context'
import { titleOf } from './execution-row'
import { planHash } from './hash'
import type { PlanScopes } from './plans'
import { fail, ok, type Result } from '../base/result'
import { recordOf } from './record'
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

  /** The hash of what would run as it is stored, under the host's present key and user. Errors: as `currentHash`. */
  hashNow(row: ApprovalRow): Result<string> {
    if (row.subject_kind === 'plan') return this.planHashNow(row.subject_id)
    const execution = this.context.executions.row(row.subject_id)
    return execution
      ? currentHash(this.context, execution)
      : fail('execution_not_found', 'There is no such execution.')
  }

  /** What approving it puts into the window's scope. */
  scope(row: ApprovalRow): readonly ScopeEntry[] {
    return row.subject_kind === 'plan'
      ? this.planScopes.scopeOf(row.subject_id)
      : (this.ofExecution(row, scopeOf) ?? [])
  }

  /** Everything that it acts on: what a denial closes windows over. Null when that cannot be read. */
  keys(row: ApprovalRow): readonly string[] | null {
    if (!this.hashNow(row).ok) return null
    const covering = row.subject_kind === 'plan' ? [] : (this.ofExecution(row, coverKeys) ?? [])
    return [...this.scope(row).map((entry) => entry.key), ...covering]
  }

  hosts(row: ApprovalRow): readonly string[] {
    if (row.subject_kind === 'plan') return this.context.plans.steps(row.subject_id).map((step) => step.host)
    const execution = this.context.executions.row(row.subject_id)
    return execution ? [execution.host] : []
  }

  private planHashNow(planId: string): Result<string> {
    const hashes: string[] = []
    for (const step of this.context.plans.steps(planId)) {
      const hash = currentHash(this.context, { ...step, facts: step.prepared })
      if (!hash.ok) return hash
      hashes.push(hash.value)
    }
    return ok(planHash(this.context.plans.view(planId)?.title ?? '', hashes))
  }

  private ofExecution<T>(row: ApprovalRow, of: (...args: Parameters<typeof scopeOf>) => T): T | null {
    const execution = this.context.executions.row(row.subject_id)
    const action = execution && findAction(execution.action)
    const record = execution && recordOf(execution)
    return action?.ok && record?.ok ? of(action.value, record.value.prepared) : null
  }
}
