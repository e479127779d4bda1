import { isTerminal } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Context } from './context'
import type { PlanStepRow } from './plan-table'

/** A step of an approved plan whose turn it is. */
export interface PlanStepUse {
  readonly planId: string
  readonly step: number
  readonly hash: string
  /** No execution has used up the plan's approval of this step. */
  readonly unused: boolean
}

const minute = 60_000

/**
 * The step of a plan, if its turn has come: the plan is approved and not lapsed, every earlier step has succeeded,
 * and this one has not. Errors: `plan_not_found`, `plan_not_approved`, `plan_lapsed`, `plan_step_unknown`,
 * `plan_step_done`, `plan_step_early`, `plan_stopped`.
 */
export function takePlanStep(
  context: Context,
  sessionId: string,
  planId: string,
  step: number
): Result<{ use: PlanStepUse; row: PlanStepRow }> {
  const plan = context.plans.view(planId)
  if (!plan || plan.sessionId !== sessionId)
    return fail(
      'plan_not_found',
      'There is no such plan in this session.',
      'Take the plan_id that propose_plan returned in this conversation, or propose a plan.'
    )
  const name = `The plan "${plan.title}"`
  if (plan.state !== 'approved')
    return fail(
      'plan_not_approved',
      plan.state === 'awaiting_approval' ? `${name} waits for approval.` : `${name} was ${plan.state}.`,
      plan.state === 'awaiting_approval'
        ? 'End your turn: you will hear of the decision.'
        : 'Propose another plan.'
    )
  const steps = context.plans.steps(planId)
  const row = steps.find((each) => each.idx === step)
  if (!row) return fail('plan_step_unknown', `${name} has ${steps.length} steps; ${step} is not one of them.`)
  const denied = steps.find((each) => each.execution_state === 'denied')
  if (denied)
    return fail(
      'plan_stopped',
      `${name} stopped when its step ${denied.idx} was denied.`,
      'Propose another plan.'
    )
  if (row.execution_state === 'succeeded')
    return fail('plan_step_done', `Step ${step} has already succeeded.`, nextStep(steps), {
      executionId: row.execution_id
    })
  const before = steps.find((each) => each.idx < step && each.execution_state !== 'succeeded')
  if (before)
    return fail(
      'plan_step_early',
      before.execution_state !== null && !isTerminal(before.execution_state)
        ? `Step ${before.idx} has not ended yet.`
        : `Step ${before.idx} has not succeeded yet.`,
      `Carry out step ${before.idx} first. If it is not needed any more, request what remains as single actions.`
    )
  if (lapsed(context, planId))
    return fail(
      'plan_lapsed',
      `${name} was approved too long ago: nothing of it ran since.`,
      'Propose it again, so that the operator approves what is true now.'
    )
  return ok({ use: useOf(row), row })
}

/** The step of an approved plan of the session that is exactly this, if its turn has come. */
export function freePlanStep(context: Context, sessionId: string, hash: string): PlanStepUse | null {
  for (const plan of context.plans.approvedOf(sessionId))
    for (const step of plan.steps)
      if (step.hash === hash) {
        const taken = takePlanStep(context, sessionId, plan.id, step.index)
        if (taken.ok) return taken.value.use
      }
  return null
}

const useOf = (row: PlanStepRow): PlanStepUse => ({
  planId: row.plan_id,
  step: row.idx,
  hash: row.hash,
  unused: row.execution_id === null
})

/** A plan's approval holds as long as one execution's would: from the decision, or the last thing that ran, on. */
function lapsed(context: Context, planId: string): boolean {
  const approval = context.approvals.of(planId)
  if (!approval || approval.decided_at === null) return true
  const now = context.clock.now()
  const ends = context.plans
    .steps(planId)
    .map((step) =>
      step.execution_id === null ? 0 : (context.executions.row(step.execution_id)?.ended_at ?? now)
    )
  const since = Math.max(approval.decided_at, ...ends)
  return now < approval.requested_at || now > since + context.config.get().approvalExpiryMinutes * minute
}

function nextStep(steps: readonly PlanStepRow[]): string {
  const next = steps.find((step) => step.execution_state !== 'succeeded')
  return next ? `Go on with step ${next.idx}.` : 'Every step of the plan has succeeded.'
}
