import type { Continuations } from './continuations'
import { maxAttempts } from './continuations'
import type { MessageRow } from './messages'
import { notices } from './notices'
import { endMessage } from './turn'
import type { Turns, TurnsDeps } from './turns'
import { usageOf } from './usage'

/** How often a turn is resumed after the program died in the middle of it. */
const maxResumes = 3

/**
 * At start: calls that ran when the program died count as interrupted, turns that were live are resumed with what
 * they had, and a turn that dies again and again is ended with a word to the operator.
 */
export function recoverTurns(
  deps: Omit<TurnsDeps, 'onFree'> & { continuations: Continuations },
  turns: Turns
): void {
  const open = deps.messages.unfinished().filter((message) => !turns.isWriting(message))
  deps.store.transact((tx) => {
    for (const message of open) deps.calls.interrupt(tx, message.id)
    deps.continuations.adopt(tx)
  })
  for (const message of open) {
    if (!turns.isLive(message.session_id) && mayResume(deps, message)) resume(deps, turns, message)
    else giveUp(deps, message)
  }
  deps.store.transact((tx) => {
    for (const session of deps.sessions.list()) deps.sessions.settle(tx, session.id, turns.isLive(session.id))
  })
}

type Deps = Parameters<typeof recoverTurns>[0]

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

function giveUp(deps: Deps, message: MessageRow): void {
  const results = deps.continuations.ofMessage(message.id)
  const onEnd: Parameters<typeof endMessage>[1]['onEnd'] = (tx) =>
    deps.continuations.hold(tx, results, message.id)
  endMessage(deps, { messageId: message.id, onEnd }, { state: 'error', notice: notices.resumeFailed() })
}
