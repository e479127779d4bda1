import {
  isTerminal,
  type Config,
  type ExecutionView,
  type MessageView,
  type NomosEvent,
  type Place
} from '../../src-preload/contract'
import type { Executions } from '../execution/port'
import { decisionCard, type DecisionCard } from './decision-card'
import { visible } from './visible'

/** Something the operator is told of outside the window. */
export interface Notice {
  /** The same thing is told once. */
  readonly key: string
  /** Which switch of the settings turns it off. */
  readonly kind: keyof Config['notifications']
  readonly title: string
  readonly body: string
  readonly place: Place
  /** A newer notice with the same one takes its place on the screen. */
  readonly replaces: string
  readonly card: DecisionCard | null
}

/** What an event gives to tell, if anything. */
export function noticeOf(event: NomosEvent, executions: Executions): Notice | null {
  switch (event.type) {
    case 'approval.changed':
      return event.approval.state === 'awaiting_approval'
        ? decisionNotice(decisionCard(event.approval, executions))
        : null
    case 'execution.changed':
      return hasRun(event.execution) ? resultNotice(event.execution) : null
    case 'message.changed':
      return needsNotice(event.message)
    default:
      return null
  }
}

function decisionNotice(card: DecisionCard | null): Notice | null {
  if (card === null) return null
  const shown = card.approvable ? card.commands.join('\n') : 'Open Nomos to see all of it and to decide.'
  return {
    key: `approval:${card.approvalId}`,
    kind: 'approvals',
    title: `Approve? ${card.title}`,
    body: `${card.where}\n${shown}`,
    place: card.place,
    replaces: `approval:${card.approvalId}`,
    card
  }
}

/** Looking at something is not worth a word, and what the operator ended themselves they know. */
const hasRun = ({ state, startedAt, risk }: ExecutionView) =>
  isTerminal(state) && state !== 'cancelled' && startedAt !== null && risk !== 'read_only'

const outcomes: Partial<Record<ExecutionView['state'], string>> = {
  succeeded: 'Done',
  failed: 'Failed',
  timed_out: 'Out of time',
  interrupted: 'Interrupted',
  lost: 'Lost track of it'
}

function resultNotice(execution: ExecutionView): Notice | null {
  const outcome = outcomes[execution.state]
  if (outcome === undefined) return null
  const { id, sessionId, title, host, error, verification } = execution
  return {
    key: `execution:${id}`,
    kind: 'executions',
    title: `${outcome}: ${visible(title)}`,
    body: visible(error?.message ?? verification?.summary ?? `on ${host}`),
    place: sessionId === null ? { page: 'ops', executionId: id } : { page: 'chat', sessionId },
    // Of a plan's many steps, the newest result is the one to see.
    replaces: sessionId === null ? `execution:${id}` : `results:${sessionId}`,
    card: null
  }
}

/** The agent stopped and offers a way on: nothing happens until the operator has chosen. */
function needsNotice({ id, sessionId, state, parts }: MessageView): Notice | null {
  if (state !== 'done' && state !== 'error') return null
  for (const part of parts) {
    if (part.type !== 'notice' || part.offers.length === 0) continue
    return {
      key: `message:${id}`,
      kind: 'approvals',
      title: 'The agent needs you',
      body: visible(part.error.message),
      place: { page: 'chat', sessionId, messageId: id },
      replaces: `needs:${sessionId}`,
      card: null
    }
  }
  return null
}

/** Several at once, told as one. */
export function merge(notices: readonly [Notice, ...Notice[]]): Notice {
  const [first, ...others] = notices
  if (others.length === 0) return first
  const urgent = notices.find((notice) => notice.kind === 'approvals') ?? first
  const decisions = notices.filter((notice) => notice.card !== null).length
  return {
    ...urgent,
    title:
      decisions === notices.length
        ? `${decisions} decisions wait for you`
        : `${notices.length} things happened${decisions > 0 ? `, ${decisions} need a decision` : ''}`,
    body: notices.map((notice) => notice.title).join('\n'),
    replaces: 'merged',
    card: null
  }
}
