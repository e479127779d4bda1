import { crashPoint } from '../base/crash-points'
import type { Logger } from '../base/log'
import { messageOf } from '../base/result'
import type { Tx } from '../store/store'
import type { Continuation, Continuations } from './continuations'
import { noteOf } from './continuations'
import type { MessageRow, Notice } from './messages'
import { notices } from './notices'
import type { Sessions } from './sessions'
import { type AbortReason, endMessage, runTurn, type TurnDeps } from './turn'

const renewEveryMs = 30_000
const endAgainMs = 2_000

export interface TurnsDeps extends TurnDeps {
  readonly sessions: Sessions
  readonly continuations: Continuations
  readonly log: Logger
  /** Called after a turn, when the session is free again. */
  readonly onFree: (sessionId: string) => void
}

interface LiveTurn {
  readonly messageId: string
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** The turns that run now: at most one in each session. */
export class Turns {
  private readonly live = new Map<string, LiveTurn>()

  private readonly closed = new AbortController()

  constructor(private readonly deps: TurnsDeps) {}

  private get closing(): boolean {
    return this.closed.signal.aborted
  }

  isLive(sessionId: string): boolean {
    return this.live.has(sessionId)
  }

  /** True when a turn of this run of the program writes this very message. */
  isWriting(sessionId: string, messageId: string): boolean {
    return this.live.get(sessionId)?.messageId === messageId
  }

  /**
   * Creates the placeholder and starts a turn. `before` joins its transaction; results that wait are claimed for it
   * and told to the model in its note.
   */
  begin(
    sessionId: string,
    kind: 'turn' | 'continuation',
    results: readonly Continuation[],
    note: string,
    before: (tx: Tx) => void = () => undefined
  ): void {
    if (this.live.has(sessionId)) throw new Error(`session ${sessionId} has a turn already`)
    const { store, messages, sessions, continuations } = this.deps
    const message = store.transact((tx) => {
      before(tx)
      const whole = [noteOf(results), note].filter((text) => text !== '').join('\n')
      const placeholder = messages.insert(tx, {
        sessionId,
        role: 'assistant',
        kind,
        state: 'streaming',
        note: whole || null,
        approvals: continuations.askedAnew(results)
      })
      messages.requeueBehind(tx, sessionId)
      continuations.claim(tx, results, placeholder.id)
      sessions.settle(tx, sessionId, true)
      sessions.touch(tx, sessionId)
      if (results.length > 0) crashPoint('before-claim-commit')
      return placeholder
    })
    if (results.length > 0) crashPoint('after-claim')
    this.run(sessionId, message.id)
  }

  /** Goes on with a turn that an earlier run of the program has left open. */
  resume(message: MessageRow): void {
    const { store, sessions } = this.deps
    store.transact((tx) => sessions.settle(tx, message.session_id, true))
    this.run(message.session_id, message.id)
  }

  /** Ends a session's turn from outside; false when none runs. */
  stop(sessionId: string, reason: AbortReason): boolean {
    const turn = this.live.get(sessionId)
    turn?.abort.abort(reason)
    return turn !== undefined
  }

  /** Resolves when the session's turn, if one runs, has ended. */
  async ended(sessionId: string): Promise<void> {
    await this.live.get(sessionId)?.ended
  }

  async closeAll(): Promise<void> {
    this.closed.abort()
    const turns = [...this.live.values()]
    for (const turn of turns) turn.abort.abort('closing' satisfies AbortReason)
    await Promise.all(turns.map((turn) => turn.ended))
  }

  private run(sessionId: string, messageId: string): void {
    const abort = new AbortController()
    this.deps.activity.set(sessionId, messageId, 'thinking', 'Thinking')
    const ended = this.runToItsEnd(sessionId, messageId, abort)
    this.live.set(sessionId, { messageId, abort, ended })
  }

  private async runToItsEnd(sessionId: string, messageId: string, abort: AbortController): Promise<void> {
    const { sessions, continuations, activity, log, limits } = this.deps
    // The caller's transaction and event come first, then the turn.
    await Promise.resolve()
    const time = setTimeout(() => abort.abort('time' satisfies AbortReason), limits.minutes * 60_000)
    const lease = setInterval(() => continuations.renew(messageId), renewEveryMs)
    const onEnd = (tx: Tx) => {
      continuations.deliver(tx, messageId)
      sessions.weigh(sessionId)
      sessions.settle(tx, sessionId, false)
      sessions.touch(tx, sessionId)
    }
    try {
      await runTurn(this.deps, { sessionId, messageId, signal: abort.signal, onEnd })
    } catch (error) {
      log.log('error', 'agent', `a turn failed: ${messageOf(error)}`, {
        messageId,
        stack: error instanceof Error ? error.stack : undefined
      })
      await this.endWhenPossible({ messageId, onEnd }, notices.internal(error))
    } finally {
      clearTimeout(time)
      clearInterval(lease)
      this.live.delete(sessionId)
      activity.idle(sessionId)
      if (!this.closing) this.startNext(sessionId)
    }
  }

  /** A full disk is no reason to leave a message without its end: it is written as soon as there is room. */
  private async endWhenPossible(run: Parameters<typeof endMessage>[1], notice: Notice): Promise<void> {
    while (!this.closing) {
      try {
        return endMessage(this.deps, run, { state: 'error', notice })
      } catch (error) {
        this.deps.log.log('error', 'agent', `a turn's end cannot be written: ${messageOf(error)}`)
        await this.deps.retry.wait(endAgainMs, this.closed.signal)
      }
    }
  }

  /** Starts what waits in a session that is free. What fails in one session concerns no other. */
  startNext(sessionId: string): void {
    try {
      this.deps.onFree(sessionId)
    } catch (error) {
      this.deps.log.log('error', 'agent', `what waits in a session was not started: ${messageOf(error)}`, {
        sessionId
      })
    }
  }
}
