import { z } from 'zod'
import { actionRequestSchema, isTerminal, type ExecutionView } from '../../../src-preload/contract'
import { fence } from '../../base/fence'
import { fail, type Result } from '../../base/result'
import type { Executions } from '../../execution/port'
import { defineTool } from '../define'
import { refused, told } from '../outcome'
import { executionSchema } from '../schemas'
import type { Tool, ToolContext, ToolOutcome } from '../tool'
import { catalogue, withParams } from './catalogue'
import { executionData, executionText, shortCommand } from './execution-text'

/** How long (ms) the result of a read-only execution is waited for. */
const readOnlyWait = 20_000

const input = z.strictObject({
  action: actionRequestSchema.shape.action
    .optional()
    .describe('Name of the action; with target, for a single action.'),
  target: actionRequestSchema.shape.target
    .optional()
    .describe('What it acts on: host:NAME, lxc:NAME, lxc:VMID, vm:NAME.'),
  params: actionRequestSchema.shape.params.describe('Params of the action.'),
  why: actionRequestSchema.shape.why.describe('Why it is needed, for the operator who decides.'),
  plan_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('An approved plan; with step, instead of action and target.'),
  step: z.number().int().min(1).max(100).optional().describe('Step of the plan, counted from 1.')
})
type Input = z.output<typeof input>

/** The tool through which everything that changes a host goes. */
export const requestTools = (executions: Executions): Tool[] => [
  defineTool({
    name: 'request_execution',
    title: 'Request an execution',
    group: 'doing',
    description:
      'Runs one action on one target, or one step of an approved plan: give action and target, or plan_id and step. ' +
      "It returns at once. What changes something may first need the operator's approval; its result comes to you by " +
      'itself when it has ended, so end your turn and do not poll. Read-only actions answer with their output directly. ' +
      'For several actions that belong together use propose_plan. To look at state use the list_ and get_ tools instead.\n' +
      `Actions:\n${catalogue(executions.actions())}`,
    input,
    output: executionSchema.extend({ approval_id: z.string().nullable(), output: z.string().nullable() }),
    readOnly: false,
    timeoutMs: 120_000,
    sentence: (request) => sentenceOf(executions, request),
    async run(request, context) {
      const requested = await ask(executions, request, context)
      if (!requested.ok) return refused(withParams(executions.actions(), requested.error))
      const execution = requested.value
      if (execution.risk === 'read_only' && execution.state !== 'awaiting_approval')
        return awaited(executions, await executions.settled(execution.id, readOnlyWait), context)
      return underway(executions, execution, context)
    }
  })
]

/** Hands the request to the executions; refuses one that names neither an action nor a step, or both. */
async function ask(
  executions: Executions,
  request: Input,
  context: ToolContext
): Promise<Result<ExecutionView>> {
  const { action, target, params, why, plan_id: planId, step } = request
  if (planId !== undefined && step !== undefined && action === undefined && target === undefined) {
    if (context.sessionId === null)
      return fail('session_needed', 'Steps of a plan are run in the conversation that the plan belongs to.')
    const plan = executions.plan(planId)
    if (!plan.ok) return plan
    const planned = plan.value.steps[step - 1]
    if (!planned)
      return fail(
        'plan_step_unknown',
        `The plan "${plan.value.title}" has ${plan.value.steps.length} steps; ${step} is not one of them.`,
        'Steps are counted from 1.'
      )
    return executions.requestPlanStep({
      sessionId: context.sessionId,
      planId,
      step: planned.index,
      tainted: context.tainted
    })
  }
  if (planId !== undefined || step !== undefined || action === undefined || target === undefined)
    return fail(
      'invalid_arguments',
      'Give either action and target, or plan_id and step.',
      'For a step of a plan leave action, target and params out: they were approved with the plan.'
    )
  return executions.request({
    action,
    target,
    params,
    why,
    origin: context.origin,
    sessionId: context.sessionId,
    tainted: context.tainted
  })
}

/** The result of a read-only execution, or that it takes longer than was waited. */
async function awaited(
  executions: Executions,
  execution: ExecutionView,
  context: ToolContext
): Promise<ToolOutcome> {
  if (!isTerminal(execution.state)) return underway(executions, execution, context)
  executions.markDelivered(execution.id, context.messageId)
  const output = await executions.outputForModel(execution.id)
  const succeeded = execution.state === 'succeeded'
  const head = succeeded ? `Execution ${execution.id}: succeeded, exit code 0.` : executionText(execution)
  const printed = output.replace(/^── run ──\n?/, '').trimEnd()
  return told(
    `${head}\n${printed === '' ? 'It printed nothing.' : fence(execution.id, `${execution.target} on ${execution.host}`, printed)}`,
    { ...executionData(execution), approval_id: execution.approvalId, output },
    succeeded ? {} : { isError: true }
  )
}

/** What is told of an execution whose result is not there yet. */
function underway(executions: Executions, execution: ExecutionView, context: ToolContext): ToolOutcome {
  const { state } = execution
  const data = { ...executionData(execution), approval_id: execution.approvalId, output: null }
  if (isTerminal(state))
    return told(executionText(execution), data, state === 'succeeded' ? {} : { isError: true })
  const waits = state === 'awaiting_approval'
  const now = waits
    ? `It waits for the operator's approval. ${ruleOf(executions, execution)}`.trim()
    : state === 'unknown'
      ? 'Its host cannot be asked at the moment; it is watched on.'
      : 'It is under way.'
  const next =
    context.sessionId === null
      ? `${waits ? 'The operator decides in Nomos. ' : ''}Follow it with get_execution_status {"execution_id": "${execution.id}"}.`
      : 'The result will come to you by itself; end your turn; do not poll.'
  return told(`${executionText(execution)}\n${commandsOf(execution)}${now} ${next}`, data, {
    endsTurn: true,
    ...(waits && { card: { type: 'approval', id: execution.id } })
  })
}

/** What was picked and what runs; nothing for what whoever asks has written, or approved with a plan, word for word. */
function commandsOf({ action, planStep, commands }: ExecutionView): string {
  if (planStep !== null || action === 'run' || action === 'pct_exec') return ''
  return `Commands:\n${commands.map(({ text }) => `  ${shortCommand(text)}`).join('\n')}\n`
}

/** Which rule asks, and why the command counts as what it does. */
function ruleOf(executions: Executions, { approvalId }: ExecutionView): string {
  const found = approvalId === null ? null : executions.approval(approvalId)
  return found?.ok ? found.value.rule : ''
}

function sentenceOf(executions: Executions, { action, target, plan_id: planId, step }: Input) {
  if (planId !== undefined && step !== undefined) {
    const plan = executions.plan(planId)
    const planned = plan.ok ? plan.value.steps[step - 1] : undefined
    return { sentence: `Step ${step}: ${planned?.title ?? 'of the plan'}`, object: `step ${step}` }
  }
  return {
    sentence: `Requesting ${action ?? 'an execution'}${target ? ` on ${target}` : ''}`,
    object: target ?? action ?? 'execution'
  }
}
