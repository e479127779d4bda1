import { isTerminal, type AssentWindowView, type NomosEvent } from '../../src-preload/contract'
import type { Logger } from '../base/log'
import { messageOf } from '../base/result'
import type { Executions } from '../execution/port'
import type { Store } from '../store/store'
import { type Continuation, type Continuations, maxAttempts } from './continuations'
import type { Messages, Notice } from './messages'
import type { Sessions } from './sessions'
import { firstWords } from './text'
import type { Turns } from './turns'

/** Milliseconds in which results count as having come together. */
const gatherMs = 40
const continuationsPerWindow = 25
const failuresInARow = 3
const mostOpenTold = 10

export interface WatcherDeps {
  readonly store: Store
  readonly messages: Messages
  readonly sessions: Sessions
  readonly continuations: Continuations
  readonly executions: Pick<Executions, 'window' | 'endWindow' | 'list'>
  readonly turns: Turns
  readonly log: Logger
}

/**
 * Starts a continuation when a result has come. It is woken by committed events and by what is left in the table at
 * start; it never polls. What it may not start, it tells the operator, and keeps.
 */
export class Watcher {
  private readonly woken = new Set<string>()
  private timer: NodeJS.Timeout | null = null
  private paused = false
  private closed = false
  private readonly unsubscribe: () => void

  constructor(private readonly deps: WatcherDeps) {
    this.unsubscribe = deps.store.bus.subscribe(({ event }) => this.hear(event))
  }

  /** While paused, results wait in the table. */
  pause(paused: boolean): void {
    this.paused = paused
    if (!paused) this.wakeAll()
  }

  wakeAll(): void {
    for (const sessionId of this.deps.continuations.sessionsWaiting()) this.wake(sessionId)
  }

  wake(sessionId: string): void {
    this.woken.add(sessionId)
    if (!this.closed) this.timer ??= setTimeout(() => this.lookAtWoken(), gatherMs)
  }

  close(): void {
    this.closed = true
    this.unsubscribe()
    if (this.timer) clearTimeout(this.timer)
  }

  private hear(event: NomosEvent): void {
    if (
      event.type === 'execution.changed' &&
      isTerminal(event.execution.state) &&
      event.execution.sessionId !== null
    )
      this.wake(event.execution.sessionId)
    if (event.type === 'approval.changed' && event.approval.sessionId !== null)
      this.wake(event.approval.sessionId)
    if (event.type === 'plan.changed') this.wake(event.plan.sessionId)
    if (event.type === 'assent.changed') this.wake(event.assent.sessionId)
  }

  private lookAtWoken(): void {
    this.timer = null
    const sessions = [...this.woken]
    this.woken.clear()
    for (const sessionId of sessions) {
      try {
        this.consider(sessionId)
        this.settle(sessionId)
      } catch (error) {
        this.deps.log.log('error', 'watcher', `results of a session stay in the table: ${messageOf(error)}`, {
          sessionId
        })
      }
    }
  }

  private settle(sessionId: string): void {
    const { store, sessions, turns } = this.deps
    store.transact((tx) => sessions.settle(tx, sessionId, turns.isLive(sessionId)))
  }

  /** Starts a continuation with everything that waits, or says why it does not. */
  private consider(sessionId: string): void {
    if (this.closed || this.paused || this.deps.turns.isLive(sessionId)) return
    const all = this.deps.continuations.waiting(sessionId)
    const waiting = all.filter((result) => result.attempts < maxAttempts)
    const givenUp = all.filter((result) => result.attempts >= maxAttempts && result.state === 'pending')
    this.hold(sessionId, givenUp, notices.crashed)
    const fresh = waiting.filter((result) => result.state === 'pending')
    const window = this.deps.executions.window(sessionId)
    if (fresh.some((result) => result.cause === 'decision')) return this.start(sessionId, waiting, window)
    if (!window) return this.hold(sessionId, fresh, notices.windowClosed)
    if (waiting.length === 0) return
    if (window.continuations >= continuationsPerWindow)
      return this.endAndHold(sessionId, fresh, window, notices.tooMany)
    if (fresh.some((result) => this.failsAgainAndAgain(result)))
      return this.endAndHold(sessionId, fresh, window, notices.sameFailure)
    this.start(sessionId, waiting, window)
  }

  private start(sessionId: string, results: readonly Continuation[], window: AssentWindowView | null): void {
    const { store, executions, turns } = this.deps
    const note = [this.openNote(sessionId), results.some(isDenial) ? deniedNote : goOnNote]
      .filter((text) => text !== '')
      .join('\n')
    turns.begin(sessionId, 'continuation', results, note, (tx) => {
      if (!window) return
      store.db
        .prepare('UPDATE assent_windows SET continuations = continuations + 1 WHERE id = ?')
        .run(window.id)
      const assent = executions.window(sessionId)
      if (assent) tx.emit({ type: 'assent.changed', assent })
    })
  }

  /** What of the session has not ended yet, so that it is neither forgotten nor asked for again. */
  private openNote(sessionId: string): string {
    const open = (['waiting', 'active'] as const).flatMap(
      (state) => this.deps.executions.list({ sessionId, state, limit: mostOpenTold }).executions
    )
    const lines = open.map(
      ({ id, action, target, state }) =>
        `${id} (${action} ${target}) ${state === 'awaiting_approval' ? 'waits for approval' : `is ${state}`}`
    )
    return lines.length === 0 ? '' : `Not ended yet: ${lines.join('; ')}. Their results will come too.`
  }

  private endAndHold(
    sessionId: string,
    results: readonly Continuation[],
    window: AssentWindowView,
    why: HoldReason
  ): void {
    this.hold(sessionId, results, why)
    this.deps.executions.endWindow(window.id, why.message)
  }

  /** Says in the session what came and why nothing follows by itself; the results stay. */
  private hold(sessionId: string, results: readonly Continuation[], why: HoldReason): void {
    if (results.length === 0) return
    const told = results.map((result) => firstWords(result.note.split('\n', 1).join(), 200)).join('\n')
    const notice: Notice = {
      error: {
        code: why.code,
        message: `${told}\n${why.message}`,
        hint: 'Let the agent go on, or write what it should do.'
      },
      offers: ['continue']
    }
    this.deps.store.transact((tx) => {
      const message = this.deps.messages.insert(tx, {
        sessionId,
        role: 'assistant',
        kind: 'notice',
        state: 'done',
        notice,
        approvals: this.deps.continuations.askedAnew(results)
      })
      this.deps.continuations.hold(tx, results, message.id)
      this.deps.sessions.touch(tx, sessionId)
      this.deps.sessions.settle(tx, sessionId, false)
    })
  }

  /** True when the last three executions of the same action on the same target in this session all failed. */
  private failsAgainAndAgain(result: Continuation): boolean {
    const states = this.deps.store.db
      .prepare(
        `SELECT other.state FROM executions this
           JOIN executions other ON other.session_id = this.session_id AND other.action = this.action AND other.target = this.target
          WHERE this.id = ? AND other.ended_at IS NOT NULL AND other.state NOT IN ('denied', 'expired', 'cancelled')
          ORDER BY other.ended_at DESC, other.id DESC LIMIT ?`
      )
      .pluck()
      .all(result.subject_id, failuresInARow)
    return states.length === failuresInARow && states.every((state) => state !== 'succeeded')
  }
}

interface HoldReason {
  readonly code: string
  readonly message: string
}

const notices = {
  windowClosed: {
    code: 'assent_window_closed',
    message: 'The time in which results continue by themselves is over, so the agent waits for you.'
  },
  tooMany: {
    code: 'continuation_limit',
    message: `The agent has gone on by itself ${continuationsPerWindow} times, which is the limit, so it waits for you.`
  },
  crashed: {
    code: 'continuation_crashed',
    message: 'Nomos ended several times while it handled this, so the agent waits for you.'
  },
  sameFailure: {
    code: 'repeated_failure',
    message:
      'The same action on the same target failed three times in a row, so the agent stopped and waits for you.'
  }
} as const satisfies Record<string, HoldReason>

const isDenial = ({ cause, note }: Continuation): boolean =>
  cause === 'decision' && note.includes('was denied by the operator')

/** What the model is told after a decision against what it asked for. */
const deniedNote =
  'The operator decided against this, so it stays undone. With a reason, propose what the reason asks for. Without one, change nothing more towards it: say in a sentence what stays as it is, and ask what is wanted instead.'

/** What the model is told after results that started a continuation. */
export const goOnNote =
  'Go on towards the goal: take the next step, or find out why a step failed and do otherwise. When nothing is left to do, check that the goal is met and report.'
