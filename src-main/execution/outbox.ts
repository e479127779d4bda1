import type { ExecutionView, TerminalState } from '../../src-preload/contract'
import { newId } from '../base/ids'
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

/** "execution X (pct_create lxc:typetype) failed: …" */
export function resultNote(execution: ExecutionView, state: TerminalState): string {
  const { id, action, target, error, verification, planStep } = execution
  const step = planStep === null ? '' : `, step ${planStep} of the plan`
  const said = [error?.message, error?.hint, verification?.summary].filter(
    (part) => part !== undefined && part !== ''
  )
  return `execution ${id} (${action} ${target}${step}) ${words[state]}${said.length > 0 ? `: ${said.join(' ')}` : ''}`
}
