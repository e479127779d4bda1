import { messageOf } from '../base/result'
import type { Continuations } from './continuations'
import { maxAttempts } from './continuations'
import { damageOf } from './damage'
import type { MessageRow, Notice } from './messages'
import { notices } from './notices'
import { endMessage } from './turn'
import type { Turns, TurnsDeps } from './turns'
import { usageOf } from './usage'

/** How often a turn is resumed after the program died in the middle of it. */
const maxResumes = 3

type Deps = Omit<TurnsDeps, 'onFree'> & { readonly continuations: Continuations }

/**
 * At start: calls that ran when the program died count as interrupted, turns that were live are resumed with what
 * they had, and a turn that dies again and again is ended with a word to the operator. One whose record is damaged
 * is ended too; whatever is wrong with one conversation, the others go on.
 */
export function recoverTurns(deps: Deps, turns: Turns): void {
  deps.store.transact((tx) => deps.continuations.adopt(tx))
  for (const { id, sessionId } of deps.messages.unfinished()) {
    if (turns.isWriting(sessionId, id)) continue
    try {
      recoverMessage(deps, turns, id)
    } catch (error) {
      leaveAlone(deps, sessionId, id, messageOf(error))
    }
  }
  for (const { id } of deps.sessions.list()) {
    try {
      deps.store.transact((tx) => deps.sessions.settle(tx, id, turns.isLive(id)))
    } catch (error) {
      deps.log.log('error', 'agent', `a session's state is not known: ${messageOf(error)}`, { sessionId: id })
    }
  }
}

function recoverMessage(deps: Deps, turns: Turns, id: string): void {
  const message = deps.messages.row(id)
  if (!message) return
  deps.store.transact((tx) => deps.calls.interrupt(tx, id))
  const damage = damageOf(message, deps.messages.parts(id), deps.calls.ofMessage(id))
  if (damage !== null) leaveAlone(deps, message.session_id, id, damage)
  else if (!turns.isLive(message.session_id) && mayResume(deps, message)) resume(deps, turns, message)
  else end(deps, id, notices.resumeFailed())
}

function mayResume(deps: Deps, message: MessageRow): boolean {
  const attempts = deps.continuations.ofMessage(message.id).map((result) => result.attempts)
  return usageOf(message).resumes < maxResumes && attempts.every((count) => count <= maxAttempts)
}

function resume(deps: Deps, turns: Turns, message: MessageRow): void {
  const usage = usageOf(message)
  const parts = deps.messages.parts(message.id)
  deps.store.transact((tx) => {
    deps.messages.setUsage(message.id, { ...usage, resumes: usage.resumes + 1 })
    if (parts.length === 0) return
    const step = Math.max(...parts.map((part) => part.step))
    if (parts.at(-1)?.type !== 'notice')
      deps.messages.addPart(message.id, { type: 'notice', step, data: notices.resumed() })
    deps.messages.announce(tx, message.id)
  })
  turns.resume(message)
}

/** What cannot be read is not gone on with by itself; the operator is told, in the conversation and in the log. */
function leaveAlone(deps: Deps, sessionId: string, messageId: string, what: string): void {
  const log = (text: string) => deps.log.log('error', 'agent', text, { sessionId, messageId })
  log(`a turn is not resumed, its record is damaged: ${what}`)
  try {
    end(deps, messageId, notices.damaged(what))
  } catch (error) {
    log(`its end cannot be written: ${messageOf(error)}`)
  }
}

/** Ends a message that was left open; its results wait for the operator. */
function end(deps: Deps, messageId: string, notice: Notice): void {
  const results = deps.continuations.ofMessage(messageId)
  const onEnd: Parameters<typeof endMessage>[1]['onEnd'] = (tx) =>
    deps.continuations.hold(tx, results, messageId)
  endMessage(deps, { messageId, onEnd }, { state: 'error', notice })
}
