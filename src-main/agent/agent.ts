import { randomUUID } from 'node:crypto'
import type {
  Activity,
  ApprovalView,
  MessageView,
  SearchHit,
  SessionPage,
  SessionView,
  ToolCallDetail
} from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import type { Logger } from '../base/log'
import { fail, ok, type Result } from '../base/result'
import type { Executions } from '../execution/port'
import type { Store } from '../store/store'
import type { SessionsPort } from '../tools/sessions-port'
import { Activities } from './activity'
import { createCalls } from './calls'
import { createContinuations } from './continuations'
import { detailsOf, exportJson, exportMarkdown, forkSession, type WholeSession } from './copies'
import { createMessages } from './messages'
import type { FleetSummary, ModelSource, ToolPort } from './ports'
import { systemPrompt } from './prompt'
import { recoverTurns } from './recover'
import { type RetryRules, retryRules } from './retry'
import { createSessions, sessionMissing } from './sessions'
import { type StreamLimits, streamLimits } from './stream'
import { wellFormed } from './text'
import { type TurnLimits, turnLimits } from './turn'
import { Turns, type TurnsDeps } from './turns'
import { goOnNote, Watcher } from './watcher'

export interface AgentDeps {
  readonly store: Store
  readonly tools: ToolPort
  readonly models: ModelSource
  readonly executions: Executions
  readonly fleetSummary: FleetSummary
  /** Text of `resources/SOUL.md`. */
  readonly soul: string
  readonly toolsSummary: () => string
  readonly skillsIndex: () => string
  readonly clock: Clock
  readonly log: Logger
  readonly retry?: RetryRules
  readonly limits?: TurnLimits
  readonly streamLimits?: StreamLimits
}

/** The conversations and the loop behind them. Every answer is already written when it is given. */
export interface Agent {
  /** The operator's words: what assents is approved first, then a turn starts or the message waits its turn. */
  send(sessionId: string, text: string): Result<MessageView>
  editQueued(messageId: string, text: string): Result<MessageView>
  removeQueued(messageId: string): Result<null>
  /** Ends the model's work at once; executions go on. */
  stop(sessionId: string): Result<null>
  /** Answers the last user message once more. */
  retry(sessionId: string): Result<null>
  /** Goes on with results that are held, or with an answer that was broken off. */
  continueSession(sessionId: string): Result<null>

  createSession(): Result<SessionView>
  listSessions(): SessionView[]
  openSession(id: string, beforeSeq: number | undefined, limit: number): Result<SessionPage>
  rename(id: string, title: string): Result<SessionView>
  remove(id: string): Promise<Result<null>>
  fork(id: string, messageId: string): Result<SessionView>
  /** The session as text. */
  exportSession(id: string, format: 'markdown' | 'json'): Result<string>
  search(query: string): SearchHit[]
  toolCall(id: string): Result<ToolCallDetail>
  activities(): Activity[]

  /** At start, after the executions have been recovered: resumes what was live and hands over what waits. */
  recover(): void
  /** After sleep: looks at what waits anew. */
  wake(): void
  /** While paused, nothing continues by itself. */
  pause(paused: boolean): void
  /** Ends the turns without ending their messages; they are resumed at the next start. */
  close(): Promise<void>
}

/** The sessions as the tools read them; it needs nothing but the store. */
export function createSessionsPort(store: Store): SessionsPort {
  const sessions = createSessions(store)
  const messages = createMessages(store)
  const calls = createCalls(store)
  return {
    list: (limit) => sessions.list().slice(0, limit),
    record(id) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      const all = messages.page(id, undefined, Number.MAX_SAFE_INTEGER - 1).messages
      return ok({ session, messages: all, toolCalls: detailsOf(calls, all) })
    }
  }
}

export function createAgent(deps: AgentDeps): Agent {
  const { store, executions, log } = deps
  const sessions = createSessions(store)
  const messages = createMessages(store)
  const calls = createCalls(store)
  const continuations = createContinuations(store, randomUUID())
  const activity = new Activities(store)
  const turnsDeps: TurnsDeps = {
    store,
    sessions,
    messages,
    calls,
    continuations,
    activity,
    log,
    tools: deps.tools,
    models: deps.models,
    system: () => systemPrompt(deps),
    retry: deps.retry ?? retryRules,
    limits: deps.limits ?? turnLimits,
    streamLimits: deps.streamLimits ?? streamLimits,
    onFree: next
  }
  const turns = new Turns(turnsDeps)
  const watcher = new Watcher({
    store,
    sessions,
    messages,
    continuations,
    executions,
    log,
    turns: () => turns
  })

  /** When a session is free: the operator's queued words first, then results. */
  function next(sessionId: string): void {
    if (turns.isLive(sessionId) || !sessions.find(sessionId)) return
    const queued = messages.nextQueued(sessionId)
    if (!queued) return watcher.wake(sessionId)
    const results = continuations.waiting(sessionId)
    turns.begin(sessionId, 'turn', results, noteBeside(results), (tx) =>
      messages.setState(tx, queued.id, 'done')
    )
  }

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

  function whole(session: SessionView): WholeSession {
    const all = messages.page(session.id, undefined, Number.MAX_SAFE_INTEGER - 1).messages
    return {
      session,
      messages: all,
      toolCalls: detailsOf(calls, all),
      plans: executions.plansOf(session.id),
      executions: executions.list({ sessionId: session.id, limit: 200 }).executions,
      approvals: executions.approvalsOf(session.id)
    }
  }

  return {
    send(sessionId, text) {
      if (text.trim() === '')
        return fail('message_empty', 'There is nothing in this message.', 'Write what should happen.')
      if (!sessions.find(sessionId)) return sessionMissing()
      const note = assentNote(executions.assent(sessionId, text))
      const live = turns.isLive(sessionId)
      const insert = (tx: Parameters<Parameters<Store['transact']>[0]>[0]): MessageView => {
        sessions.touch(tx, sessionId, text)
        return messages.insert(tx, {
          sessionId,
          role: 'user',
          kind: 'turn',
          state: live ? 'queued' : 'done',
          text: wellFormed(text),
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
    },

    createSession: () => ok(sessions.create()),
    listSessions: () => sessions.list(),

    openSession(id, beforeSeq, limit) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      const page = messages.page(id, beforeSeq, limit)
      return ok({
        ...page,
        session,
        toolCalls: calls.views(page.messages.map((message) => message.id)),
        plans: executions.plansOf(id),
        executions: executions.list({ sessionId: id, limit: 200 }).executions,
        approvals: executions.approvalsOf(id),
        assent: executions.window(id),
        activity: activity.of(id)
      })
    },

    rename: (id, title) => sessions.rename(id, title),

    async remove(id) {
      const window = executions.window(id)
      if (turns.stop(id, 'stopped')) await turns.ended(id)
      if (window) executions.endWindow(window.id, 'The conversation was deleted.')
      return sessions.remove(id)
    },

    fork(id, messageId) {
      const session = sessions.find(id)
      const message = messages.row(messageId)
      if (!session || message?.session_id !== id) return sessionMissing()
      return ok(forkSession(store, { sessions, messages }, session, message.seq))
    },

    exportSession(id, format) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      return ok(format === 'json' ? exportJson(whole(session)) : exportMarkdown(whole(session)))
    },

    search: (query) => sessions.search(query),

    toolCall(id) {
      const call = calls.detail(id)
      return call
        ? ok(call)
        : fail('tool_call_not_found', 'This call does not exist any more.', 'Open the conversation anew.')
    },

    activities: () => activity.all(),

    recover() {
      recoverTurns(turnsDeps, turns)
      for (const sessionId of messages.sessionsWithQueue()) next(sessionId)
      watcher.wakeAll()
    },
    wake: () => watcher.wakeAll(),
    pause: (paused) => watcher.pause(paused),
    async close() {
      watcher.close()
      await turns.closeAll()
    }
  }
}

const retryNote = 'The operator asks you to try again: the answer above is not complete or failed.'
