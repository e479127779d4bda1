import { z } from 'zod'
import { actionRequestSchema, riskClasses } from '../../../src-preload/contract'
import type { PlanView } from '../../../src-preload/contract'
import type { Executions } from '../../execution/port'
import { defineTool } from '../define'
import { count } from '../format'
import { refused, told } from '../outcome'
import { withParams } from './catalogue'
import { shortCommand } from './execution-text'
import type { Tool } from '../tool'

/** Tools that propose. */
export const planTools = (executions: Executions): Tool[] => [
  defineTool({
    name: 'propose_plan',
    title: 'Propose a plan',
    group: 'doing',
    description:
      'Proposes an ordered list of actions that the operator approves as a whole. Every step is checked now, later steps ' +
      'see what earlier ones create, nothing is changed. Use it when a goal needs more than one action that changes ' +
      'something; for a single action use request_execution. After it, end your turn: once it is approved, request its ' +
      'steps in order with request_execution {plan_id, step}. The actions and their params are those of request_execution. Destructive steps ask on their own when their turn comes.',
    input: z.strictObject({
      title: z.string().min(1).max(200).describe('What the plan achieves, in a few words.'),
      summary: z
        .string()
        .max(4000)
        .default('')
        .describe('What will be true afterwards and what was decided, for the operator.'),
      steps: z
        .array(actionRequestSchema)
        .min(1)
        .max(40)
        .describe('Actions in the order in which they are to run.')
    }),
    output: z.object({
      plan_id: z.string(),
      state: z.string(),
      steps: z.array(
        z.object({
          step: z.number(),
          title: z.string(),
          action: z.string(),
          target: z.string(),
          risk: z.enum(riskClasses),
          commands: z.array(z.string())
        })
      )
    }),
    readOnly: false,
    timeoutMs: 120_000,
    sentence: ({ title, steps }) => ({
      sentence: `Proposing a plan of ${count(steps.length, 'step')}: ${title}`,
      object: 'plan'
    }),
    async run({ title, summary, steps }, context) {
      if (context.sessionId === null)
        return refused({
          code: 'session_needed',
          message: 'A plan belongs to a conversation in Nomos, and this call comes from outside of one.',
          hint: 'Request each action by itself with request_execution.'
        })
      const proposed = await executions.proposePlan({ sessionId: context.sessionId, title, summary, steps })
      if (!proposed.ok) return refused(withParams(executions.actions(), proposed.error))
      const plan = proposed.value
      return told(planText(plan), planData(plan), { card: { type: 'plan', id: plan.id }, endsTurn: true })
    }
  })
]

const planData = (plan: PlanView) => ({
  plan_id: plan.id,
  state: plan.state,
  steps: plan.steps.map((step, index) => ({
    step: index + 1,
    title: step.title,
    action: step.action,
    target: step.target,
    risk: step.risk,
    commands: step.commands.map((command) => command.text)
  }))
})

function planText(plan: PlanView): string {
  const steps = plan.steps.map(
    (step, index) =>
      `${index + 1}. ${step.title} [${step.risk}]\n${step.commands.map((command) => `   ${shortCommand(command.text)}`).join('\n')}`
  )
  const next =
    plan.state === 'approved'
      ? 'It is approved: request its first step now with request_execution.'
      : 'The operator sees it with its exact commands and decides. You will hear of the decision by itself: tell them in a sentence or two what it does and end your turn; do not poll.'
  return [`Plan ${plan.id} "${plan.title}" is ${plan.state}.`, ...steps, next].join('\n')
}
