import type { ApprovalView, MessageView } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Executions } from '../execution/port'
import type { Store, Tx } from '../store/store'
import type { NewAttachment } from './attachments'
import type { Continuations } from './continuations'
import type { Messages } from './messages'
import { sessionMissing, type Sessions } from './sessions'
import { wellFormed } from './text'
import type { Turns } from './turns'
import { goOnNote } from './watcher'

/** What the operator does in a conversation. Every answer is already written when it is given. */
export interface Conversation {
  /** The operator's words: what assents is approved first, then a turn starts or the message waits its turn. */
  send(sessionId: string, text: string, attachments?: readonly NewAttachment[]): Result<MessageView>
  editQueued(messageId: string, text: string): Result<MessageView>
  removeQueued(messageId: string): Result<null>
  /** Ends the model's work at once; executions go on. */
  stop(sessionId: string): Result<null>
  /** Answers the last user message once more. */
  retry(sessionId: string): Result<null>
  /** Goes on with results that are held, or with an answer that was broken off. */
  continueSession(sessionId: string): Result<null>
}

export interface ConversationDeps {
  readonly store: Store
  readonly sessions: Sessions
  readonly messages: Messages
  readonly continuations: Continuations
  readonly executions: Pick<Executions, 'assent' | 'plan' | 'get'>
  readonly turns: Turns
}

/** With `next`, which starts the oldest queued message of a session that is free; false when there is none. */
export function createConversation(
  deps: ConversationDeps
): Conversation & { next(sessionId: string): boolean } {
  const { store, sessions, messages, continuations, executions, turns } = deps

  const noteBeside = (results: readonly unknown[]): string =>
    results.length === 0 ? '' : 'This came since your last turn; answer the operator with it in mind.'

  /** What the model has to know of an assent that code has recognised in the operator's message. */
  function assentNote(assent: ReturnType<Executions['assent']>): string | null {
    if (assent === null) return null
    if (!assent.ok)
      return `This message assents, but nothing could be approved by it: ${assent.error.message}`
    return `This message approved ${assent.value.map(approvedThing).join(' and ')}.`
  }
  const approvedThing = ({ subject }: ApprovalView): string => {
    if (subject.kind === 'plan') {
      const plan = executions.plan(subject.id)
      return `plan ${subject.id}${plan.ok ? ` (${plan.value.title}): take its steps in their order` : ''}`
    }
    const execution = executions.get(subject.id)
    return `execution ${subject.id}${execution.ok ? ` (${execution.value.action} ${execution.value.target}), which runs now; its result comes by itself` : ''}`
  }

  const busy = () =>
    fail(
      'turn_running',
      'The agent is at work in this conversation.',
      'Wait for it to end, or stop it first.'
    )
  const notQueued = () =>
    fail(
      'message_not_queued',
      'This message is no longer waiting: its turn has begun.',
      'Send a new message instead.'
    )

  return {
    next(sessionId) {
      const queued = messages.nextQueued(sessionId)
      if (!queued) return false
      const results = continuations.waiting(sessionId)
      turns.begin(sessionId, 'turn', results, noteBeside(results), (tx) =>
        messages.setState(tx, queued.id, 'done')
      )
      return true
    },

    send(sessionId, text, attachments = []) {
      if (text.trim() === '' && attachments.length === 0)
        return fail('message_empty', 'There is nothing in this message.', 'Write what should happen.')
      if (!sessions.find(sessionId)) return sessionMissing()
      // Words beside something else are not assent alone: they are for the agent to read.
      const note = attachments.length > 0 ? null : assentNote(executions.assent(sessionId, text))
      const live = turns.isLive(sessionId)
      const insert = (tx: Tx): MessageView => {
        sessions.touch(tx, sessionId, text.trim() || attachments.map(({ name }) => name).join(', '))
        return messages.insert(tx, {
          sessionId,
          role: 'user',
          kind: 'turn',
          state: live ? 'queued' : 'done',
          text: wellFormed(text),
          attachments,
          note
        })
      }
      if (live) return ok(store.transact(insert))
      const results = continuations.waiting(sessionId)
      let message: MessageView | null = null
      turns.begin(sessionId, 'turn', results, noteBeside(results), (tx) => {
        message = insert(tx)
      })
      return message ? ok(message) : sessionMissing()
    },

    editQueued(messageId, text) {
      if (text.trim() === '')
        return fail(
          'message_empty',
          'There is nothing in this message.',
          'Write what should happen, or remove it.'
        )
      const edited = store.transact((tx) => messages.editQueued(tx, messageId, text))
      const view = edited ? messages.view(messageId) : null
      return view ? ok(view) : notQueued()
    },

    removeQueued: (messageId) =>
      store.transact((tx) => messages.removeQueued(tx, messageId)) ? ok(null) : notQueued(),

    stop(sessionId) {
      if (!sessions.find(sessionId)) return sessionMissing()
      turns.stop(sessionId, 'stopped')
      return ok(null)
    },

    retry(sessionId) {
      if (!sessions.find(sessionId)) return sessionMissing()
      if (turns.isLive(sessionId)) return busy()
      const all = messages.all(sessionId)
      const asked = all.findLast((message) => message.role === 'user')
      if (!asked)
        return fail('nothing_to_retry', 'There is no message to answer yet.', 'Write what should happen.')
      const tried = all.some(
        (message) =>
          message.seq > asked.seq && messages.parts(message.id).some((part) => part.type !== 'notice')
      )
      turns.begin(sessionId, 'turn', continuations.waiting(sessionId), tried ? retryNote : '')
      return ok(null)
    },

    continueSession(sessionId) {
      if (!sessions.find(sessionId)) return sessionMissing()
      if (turns.isLive(sessionId)) return busy()
      const results = continuations.waiting(sessionId)
      const last = messages.last(sessionId)
      const broken = last !== null && messages.parts(last.id).some((part) => part.type === 'notice')
      if (results.length === 0 && !broken)
        return fail(
          'nothing_to_continue',
          'Nothing waits here: every result was handed over.',
          'Write what should happen next.'
        )
      turns.begin(sessionId, 'continuation', results, `The operator lets you go on. ${goOnNote}`)
      return ok(null)
    }
  }
}

const retryNote = 'The operator asks you to try again: the answer above is not complete or failed.'
