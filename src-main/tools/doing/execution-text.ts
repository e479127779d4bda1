import type { z } from 'zod'
import type { ExecutionView, WaitsFor } from '../../../src-preload/contract'
import { moment } from '../format'
import type { executionSchema } from '../schemas'

/** An execution as tools return it. */
export const executionData = (execution: ExecutionView): z.output<typeof executionSchema> => ({
  execution_id: execution.id,
  state: execution.state,
  action: execution.action,
  target: execution.target,
  host: execution.host,
  title: execution.title,
  risk: execution.risk,
  waits_for: execution.waitsFor && {
    execution_id: execution.waitsFor.executionId,
    title: execution.waitsFor.title,
    because: execution.waitsFor.because
  },
  retry_of: execution.retryOf,
  step: execution.step,
  percent: execution.percent,
  exit_code: execution.exitCode,
  error: execution.error && {
    code: execution.error.code,
    message: execution.error.message,
    hint: execution.error.hint ?? null
  },
  verification: execution.verification && {
    ok: execution.verification.ok,
    summary: execution.verification.summary
  },
  requested_at: execution.requestedAt,
  ended_at: execution.endedAt
})

/** One line: id, what it is, how it stands. */
export const executionLine = (execution: ExecutionView): string =>
  `${execution.id} ${execution.action} ${execution.target}: ${stateText(execution)}`

/** State, step and how far it is. */
function stateText(execution: ExecutionView): string {
  const step = execution.step === null ? '' : ` (step ${execution.step}`
  const percent = execution.percent === null ? '' : `, ${Math.round(execution.percent)}%`
  const failure = execution.error ? `, ${execution.error.code}: ${execution.error.message}` : ''
  const waits = execution.waitsFor === null ? '' : `, ${waitText(execution.waitsFor)}`
  return `${execution.state}${waits}${step && `${step}${percent})`}${failure}`
}

const waitText = ({ because, title, executionId }: WaitsFor): string =>
  `waits its turn behind ${executionId} (${title}): ${
    because === 'cluster' ? 'guests are made one at a time on a cluster' : 'it acts on the same target'
  }`

/** Everything the model has to know of an execution but its output. */
export function executionText(execution: ExecutionView): string {
  return [
    `${execution.title} (${execution.action} ${execution.target} on ${execution.host})`,
    `Execution ${execution.id}: ${stateText(execution)}`,
    `Risk: ${execution.risk}; requested ${moment(execution.requestedAt)}${
      execution.endedAt === null ? '' : `; ended ${moment(execution.endedAt)}`
    }`,
    execution.retryOf !== null &&
      `Requested by itself in place of ${execution.retryOf}, whose VMID was taken.`,
    execution.exitCode !== null && `Exit code: ${execution.exitCode}`,
    execution.error?.hint && `What to do: ${execution.error.hint}`,
    execution.verification &&
      `Verification ${execution.verification.ok ? 'passed' : 'failed'}: ${execution.verification.summary}`,
    execution.undo && `Undo: ${execution.undo}`
  ]
    .filter((line) => typeof line === 'string')
    .join('\n')
}

/** Longest command line that is told whole, in characters. */
const longestCommand = 240

/** A command line for whoever asked for it: the environment that is always the same left out, long texts cut. */
export function shortCommand(text: string): string {
  const line = text
    .replace(/ --keep-env 0 -- env -i HOME=\S+ PATH=\S+ LC_ALL=\S+/, ' --')
    .replace(/\s*\n\s*/g, '⏎')
  return line.length <= longestCommand ? line : `${line.slice(0, longestCommand - 1)}…`
}
