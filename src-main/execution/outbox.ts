import type { ExecutionView, PlanView, TerminalState } from '../../src-preload/contract'
import { newId } from '../base/ids'
import { redact } from '../base/redact'
import type { Store } from '../store/store'

/** One result or decision that the agent has to hear of, by the id of what it is about. */
export interface Telling {
  readonly sessionId: string | null
  readonly cause: 'execution' | 'decision'
  readonly subjectId: string
  readonly note: string
}

/** Writes the row that the watcher reads; inside the transaction of what it tells. Nothing for no session. */
export function tellAgent({ db, clock }: Pick<Store, 'db' | 'clock'>, telling: Telling): void {
  db.prepare(
    `INSERT INTO continuations (id, session_id, cause, subject_id, note, state, created_at)
    SELECT @id, id, @cause, @subjectId, @note, 'pending', @at FROM sessions WHERE id = @sessionId
    ON CONFLICT (subject_id) DO NOTHING`
  ).run({ ...telling, id: newId(), at: clock.now() })
}

/** Notes that the result was already told, so that no continuation is started for it. */
export function markTold({ db }: Pick<Store, 'db'>, subjectId: string, messageId: string | null): boolean {
  return (
    db
      .prepare(
        `UPDATE continuations SET state = 'delivered', message_id = @messageId
        WHERE subject_id = @subjectId
          AND (state IN ('pending', 'held') OR (state = 'delivered' AND message_id IS @messageId))`
      )
      .run({ subjectId, messageId }).changes === 1
  )
}

const words: Readonly<Record<TerminalState, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'ran into its time limit',
  cancelled: 'was cancelled',
  interrupted: 'was interrupted by a restart of the host',
  lost: 'was lost',
  denied: 'was denied',
  expired: 'expired'
}

/** Characters of output that a note carries, after a success and else; the rest is one call away. */
const toldOnSuccess = 1000
const toldOnFailure = 2400

/** Actions whose output is what they were run for. */
const readForOutput = new Set(['run', 'pct_exec'])

/**
 * "execution X (pct_create lxc:typetype) failed: …", with what the job printed where that matters and the step of the
 * plan that comes next, so that nothing has to be asked before going on.
 */
export function resultNote(
  execution: ExecutionView,
  state: TerminalState,
  plan: PlanView | null,
  output: string
): string {
  const { id, action, target, error, verification, planStep } = execution
  const step = planStep === null ? '' : `, step ${planStep} of ${plan?.steps.length ?? '?'} of the plan`
  const said = [error?.message, error?.hint, verification?.summary].filter(
    (part) => part !== undefined && part !== ''
  )
  const head = `execution ${id} (${action} ${target}${step}) ${words[state]}${said.length > 0 ? `: ${said.join(' ')}` : ''}`
  const printed =
    state !== 'succeeded'
      ? excerpt(output, toldOnFailure)
      : readForOutput.has(action)
        ? excerpt(output, toldOnSuccess)
        : ''
  return [head, printed && `Output:\n${printed}`, plan && nextInPlan(plan, planStep ?? 0, state)]
    .filter((line) => line !== null && line !== '')
    .join('\n')
}

function nextInPlan(plan: PlanView, step: number, state: TerminalState): string {
  if (state !== 'succeeded')
    return `The plan is ${plan.id}; its later steps wait for step ${step}. If that step is not needed any more, request what remains as single actions.`
  const next = plan.steps.find((each) => each.index > step && each.executionState !== 'succeeded')
  return next
    ? `Next in plan ${plan.id}: step ${next.index}, ${next.title}.`
    : `That was the last step of plan ${plan.id}.`
}

/** Head and tail of what was printed, with a note of what was left out. */
function excerpt(output: string, most: number): string {
  const text = redact(output)
    .replace(/^── run ──\n?/, '')
    .trim()
  if (text.length <= most) return text
  const half = most / 2
  return `${text.slice(0, half)}\n[… ${text.length - most} characters left out; get_execution_status has more …]\n${text.slice(-half)}`
}
