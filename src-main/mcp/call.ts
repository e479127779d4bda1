import type { Logger } from '../base/log'
import { messageOf } from '../base/result'
import { refused } from '../tools/outcome'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool'
import { checkArguments } from './arguments'

/** Calls a tool: arguments checked, time limited, result checked against what the tool promises. Never throws. */
export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  log: Logger
): Promise<ToolOutcome> {
  const input = checkArguments(tool, args)
  if (!input.ok) return refused(input.error)
  const timeout = new AbortController()
  const signal = AbortSignal.any([context.signal, timeout.signal])
  const timer = setTimeout(() => timeout.abort(), tool.timeoutMs)
  try {
    const ended = await Promise.race([tool.run(input.value, { ...context, signal }), aborted(signal)])
    // What a tool says of having been stopped is less than why it was.
    if (ended !== null && !signal.aborted) return checked(tool, ended, log)
    return refused(timeout.signal.aborted ? outOfTime(tool) : stopped(tool))
  } catch (error) {
    log.log('error', 'tools', `${tool.name} threw`, { error: messageOf(error) })
    return refused({ code: 'tool_failed', message: `${tool.name} failed: ${messageOf(error)}` })
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves with null once the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })

const outOfTime = (tool: Tool) => ({
  code: 'tool_timeout',
  message: `${tool.name} has not answered within ${tool.timeoutMs / 1000} s.`,
  hint: tool.readOnly
    ? 'Ask for less, or look with list_hosts whether the host can be reached.'
    : 'What was asked for may have happened: look at list_executions before asking again.'
})

const stopped = (tool: Tool) => ({
  code: 'aborted',
  message: `${tool.name} was stopped before it answered.`,
  ...(!tool.readOnly && { hint: 'What was asked for may have happened: look at list_executions.' })
})

/** The outcome with its data as the tool's schema describes it; data that does not fit is not handed on. */
function checked(tool: Tool, outcome: ToolOutcome, log: Logger): ToolOutcome {
  if (!tool.output) return outcome
  const { structured, ...rest } = outcome
  if (structured === undefined) {
    if (outcome.isError) return rest
    log.log('error', 'tools', `${tool.name} returned no data`)
    return { ...rest, ...refused({ code: 'tool_output_invalid', message: `${tool.name} returned no data.` }) }
  }
  const parsed = tool.output.safeParse(structured)
  if (parsed.success) return { ...outcome, structured: parsed.data }
  const problem = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  log.log('error', 'tools', `${tool.name} returned data that does not fit its schema`, { problem })
  return {
    ...rest,
    ...refused({ code: 'tool_output_invalid', message: `${tool.name} returned data of the wrong shape.` })
  }
}
