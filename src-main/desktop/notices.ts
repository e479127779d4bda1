import {
  isTerminal,
  type Config,
  type ExecutionView,
  type MessageView,
  type NomosEvent,
  type Place,
  type SignalView
} from '../../src-preload/contract'
import type { Executions } from '../execution/port'
import { decisionCard, type DecisionCard } from './decision-card'
import type { Speech } from './speech'
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
export function noticeOf(event: NomosEvent, executions: Executions, texts: Speech): Notice | null {
  switch (event.type) {
    case 'approval.changed':
      return event.approval.state === 'awaiting_approval'
        ? decisionNotice(decisionCard(event.approval, executions, texts), texts)
        : null
    case 'execution.changed':
      return hasRun(event.execution) ? resultNotice(texts.words.execution(event.execution), texts) : null
    case 'message.changed':
      return needsNotice(event.message, texts)
    case 'signal.changed':
      return signalNotice(texts.words.signal(event.signal))
    default:
      return null
  }
}

function decisionNotice(card: DecisionCard | null, { notice }: Speech): Notice | null {
  if (card === null) return null
  const shown = card.approvable ? card.commands.join('\n') : notice.openToSee
  return {
    key: `approval:${card.approvalId}`,
    kind: 'approvals',
    title: notice.approve(card.title),
    body: `${card.where}\n${shown}`,
    place: card.place,
    replaces: `approval:${card.approvalId}`,
    card
  }
}

/** Looking at something is not worth a word, and what the operator ended themselves they know. */
const hasRun = ({ state, startedAt, risk }: ExecutionView) =>
  isTerminal(state) && state !== 'cancelled' && startedAt !== null && risk !== 'read_only'

function resultNotice(execution: ExecutionView, { notice }: Speech): Notice | null {
  const outcomes: Partial<Record<ExecutionView['state'], string>> = notice.outcome
  const outcome = outcomes[execution.state]
  if (outcome === undefined) return null
  const { id, sessionId, title, host, error, verification } = execution
  return {
    key: `execution:${id}`,
    kind: execution.state === 'succeeded' ? 'executions' : 'failures',
    title: `${outcome}: ${visible(title)}`,
    body: visible(error?.message ?? verification?.summary ?? notice.on(host)),
    place: sessionId === null ? { page: 'ops', executionId: id } : { page: 'chat', sessionId },
    // Of a plan's many steps, the newest result is the one to see.
    replaces: sessionId === null ? `execution:${id}` : `results:${sessionId}`,
    card: null
  }
}

/** The agent stopped and offers a way on: nothing happens until the operator has chosen. */
function needsNotice({ id, sessionId, state, parts }: MessageView, { notice, words }: Speech): Notice | null {
  if (state !== 'done' && state !== 'error') return null
  for (const part of parts) {
    if (part.type !== 'notice' || part.offers.length === 0) continue
    return {
      key: `message:${id}`,
      kind: 'needsYou',
      title: notice.needsYou,
      body: visible(words.error(part.error).message),
      place: { page: 'chat', sessionId, messageId: id },
      replaces: `needs:${sessionId}`,
      card: null
    }
  }
  return null
}

/** Nothing goes on before the operator has acted. */
export const isUrgent = ({ kind }: Notice): boolean => kind === 'approvals' || kind === 'needsYou'
/** What can wait, was there from the start or just came back is on the Fleet page only. */
function signalNotice(signal: SignalView): Notice | null {
  if (signal.state !== 'open' || signal.quiet || signal.level === 'info') return null
  return {
    key: `signal:${signal.id}:${signal.count}`,
    kind: 'signals',
    title: visible(signal.title),
    body: visible(signal.detail),
    place: { page: 'fleet' },
    replaces: `signal:${signal.id}`,
    card: null
  }
}

/** Several at once, told as one. */
export function merge(notices: readonly [Notice, ...Notice[]], { notice }: Speech): Notice {
  const [first, ...others] = notices
  if (others.length === 0) return first
  const urgent = notices.find(isUrgent) ?? first
  const decisions = notices.filter(({ card }) => card !== null).length
  return {
    ...urgent,
    title:
      decisions === notices.length ? notice.decisions(decisions) : notice.things(notices.length, decisions),
    body: notices.map(({ title }) => title).join('\n'),
    replaces: 'merged',
    card: null
  }
}
