import { z } from 'zod'
import { isTerminal, type ExecutionView } from '../../../src-preload/contract'
import type { Executions } from '../../execution/port'
import { defineTool } from '../define'
import { moment } from '../format'
import { refused, told } from '../outcome'
import { executionSchema } from '../schemas'
import type { Tool, ToolContext } from '../tool'
import { executionData, executionLine, executionText } from './execution-text'

const idField = z.string().min(1).max(64).describe('ID of the execution, as request_execution returned it.')

/** Tools for looking at executions and for stopping them. */
export const executionTools = (executions: Executions): Tool[] => [
  defineTool({
    name: 'get_execution_status',
    title: 'Status of an execution',
    group: 'doing',
    description:
      'State, step, progress, error, verification and the head and tail of the output of one execution. ' +
      'Results of your own requests come to you by themselves: use it when the operator asks, or for an older ' +
      'execution, never in a loop. For several use list_executions.',
    input: z.strictObject({ execution_id: idField }),
    output: executionSchema.extend({ output: z.string() }),
    readOnly: true,
    timeoutMs: 30_000,
    sentence: ({ execution_id: id }) => {
      const found = executions.get(id)
      const title = found.ok ? found.value.title : 'an execution'
      return { sentence: `Checking on: ${title}`, object: found.ok ? found.value.target : 'execution' }
    },
    async run({ execution_id: id }, context) {
      const found = executions.get(id)
      if (!found.ok) return refused(found.error)
      const execution = found.value
      markTold(executions, execution, context)
      const output = await executions.outputForModel(id)
      const text = [
        executionText(execution),
        decisionLine(executions, execution),
        output === '' ? 'It has printed nothing.' : `Output:\n${output}`
      ]
      return told(text.filter((line) => line !== '').join('\n'), { ...executionData(execution), output })
    }
  }),

  defineTool({
    name: 'list_executions',
    title: 'List executions',
    group: 'doing',
    description:
      'Executions of Nomos, the latest first: what was done, on what, how it ended. ' +
      'state: active (not ended), waiting (for approval), succeeded, failed, all. For the output of one use ' +
      'get_execution_status.',
    input: z.strictObject({
      state: z.enum(['all', 'active', 'waiting', 'succeeded', 'failed']).default('all'),
      limit: z.number().int().min(1).max(50).default(20)
    }),
    output: z.object({ executions: z.array(executionSchema), total: z.number() }),
    readOnly: true,
    timeoutMs: 30_000,
    sentence: ({ state }) => ({
      sentence: state === 'all' ? 'Listing executions' : `Listing ${state} executions`,
      object: 'executions'
    }),
    run({ state, limit }) {
      const { executions: found, total } = executions.list({ state, limit })
      const lines = found.map((execution) => `${moment(execution.requestedAt)} ${executionLine(execution)}`)
      const text =
        found.length === 0 ? 'There are none.' : [`${found.length} of ${total}`, ...lines].join('\n')
      return Promise.resolve(told(text, { executions: found.map(executionData), total }))
    }
  }),

  defineTool({
    name: 'cancel_execution',
    title: 'Cancel an execution',
    group: 'doing',
    description:
      'Stops one execution: withdraws it while it waits, ends its processes on the host while it runs. What it has ' +
      'already done stays done: look at the state of the target afterwards.',
    input: z.strictObject({ execution_id: idField }),
    output: executionSchema,
    readOnly: false,
    timeoutMs: 60_000,
    sentence: ({ execution_id: id }) => {
      const found = executions.get(id)
      return {
        sentence: `Cancelling: ${found.ok ? found.value.title : 'an execution'}`,
        object: found.ok ? found.value.target : 'execution'
      }
    },
    async run({ execution_id: id }, context) {
      const found = executions.get(id)
      if (!found.ok) return refused(found.error)
      if (context.origin === 'mcp' && found.value.origin !== 'mcp')
        return refused({
          code: 'not_yours',
          message: 'This execution was requested in Nomos; a client from outside cannot cancel it.',
          hint: 'The operator can cancel it in Nomos.'
        })
      const cancelled = await executions.cancel(id)
      if (!cancelled.ok) return refused(cancelled.error)
      markTold(executions, cancelled.value, context)
      return told(executionText(cancelled.value), executionData(cancelled.value))
    }
  })
]

/** A session that has just been shown how its own execution ended is not told again by a continuation. */
function markTold(executions: Executions, execution: ExecutionView, context: ToolContext): void {
  if (
    isTerminal(execution.state) &&
    execution.sessionId !== null &&
    execution.sessionId === context.sessionId
  )
    executions.markDelivered(execution.id, context.messageId)
}

/** What was decided, when it did not just go through. */
function decisionLine(executions: Executions, { approvalId }: ExecutionView): string {
  const found = approvalId === null ? null : executions.approval(approvalId)
  if (!found?.ok) return ''
  const { state, expiresAt, reason, route } = found.value
  if (state === 'awaiting_approval') return `It waits for the operator's approval until ${moment(expiresAt)}.`
  if (state === 'expired') return 'Nobody decided in time: request it again if it is still wanted.'
  if (state === 'approved') return ''
  return `Denied${route === 'policy' ? ' by a policy' : ' by the operator'}${reason ? `: ${reason}` : ' without a reason'}.`
}
