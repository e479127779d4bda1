import type { ExecutionView, Origin } from '../../src-preload/contract'
import { canonicalJson } from '../base/canonical'
import { fail, ok, type Result } from '../base/result'
import { admit } from './admit'
import type { Context } from './context'
import { executionView } from './execution-row'
import { takePlanStep, type PlanStepUse } from './plan-use'
import type { ExecutionRequest, Executions } from './port'
import { parseRequest, prepare, worldOf } from './prepare'
import { paramsOf } from './record'
import { namesVmid } from './successor'
import type { Windows } from './windows'

/** From a wish to a written execution: by itself, as a step of a plan, or once more. */
export class Requests {
  constructor(
    private readonly context: Context,
    private readonly windows: Windows,
    /** Starts what comes out approved. */
    private readonly start: (executionId: string) => void
  ) {}

  /** See `Executions.request`. */
  request(asked: ExecutionRequest): Promise<Result<ExecutionView>> {
    const { plan, sessionId, tainted = false } = asked
    return plan
      ? this.planStep({ sessionId: sessionId ?? '', planId: plan.id, step: plan.step, tainted })
      : this.prepared(asked, null)
  }

  /** See `Executions.requestPlanStep`. */
  async planStep({
    sessionId,
    planId,
    step,
    tainted
  }: Parameters<Executions['requestPlanStep']>[0]): Promise<Result<ExecutionView>> {
    const taken = takePlanStep(this.context, sessionId, planId, step)
    if (!taken.ok) return taken
    const { row, use } = taken.value
    const { action, target, why } = row
    const picked = paramsOf(row.params)
    if (!picked.ok) return picked
    const wished = paramsOf(row.requested)
    if (!wished.ok) return wished
    const withParams = (params: Record<string, unknown>) =>
      this.prepared({ action, target, params, why, origin: 'agent', sessionId, tainted }, use)
    const asApproved = await withParams(picked.value)
    const isTaken = !asApproved.ok && asApproved.error.code === 'vmid_taken'
    // What the plan had picked belongs to somebody else now: pick anew, and ask where that has to be asked.
    return isTaken && !namesVmid(wished.value) ? withParams(wished.value) : asApproved
  }

  /** See `Executions.rerun`. */
  async again(id: string, origin: Origin): Promise<Result<ExecutionView>> {
    const row = this.context.executions.row(id)
    if (!row) return fail('execution_not_found', 'There is no such execution.')
    const params = paramsOf(row.params)
    if (!params.ok) return params
    const { action, target, why } = row
    const sessionId = origin === 'agent' ? row.session_id : null
    return this.prepared({ action, target, params: params.value, why, origin, sessionId }, null)
  }

  /** Prepares, decides, writes; starts what comes out approved. */
  private async prepared(
    asked: ExecutionRequest,
    planStep: PlanStepUse | null
  ): Promise<Result<ExecutionView>> {
    const { context } = this
    const parsed = parseRequest(asked)
    if (!parsed.ok) return parsed
    const { sessionId, origin, why, tainted = false, params: requested } = asked
    const { action, target } = parsed.value
    const twin = context.executions.openTwin(sessionId, action.name, target, canonicalJson(requested))
    if (twin) return ok(executionView(twin))
    const card = await prepare(context, worldOf(context), parsed.value)
    if (!card.ok) return card
    const admitted = context.store.transact((tx) =>
      admit(context, this.windows, tx, {
        ...{ card: card.value, origin, sessionId, tainted, why, requested, planStep }
      })
    )
    if (!admitted.ok) return admitted
    if (admitted.value.state === 'approved') this.start(admitted.value.id)
    return ok(executionView(admitted.value))
  }
}
