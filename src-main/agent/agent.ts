import { randomUUID } from 'node:crypto'
import type { Activity } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import type { Logger } from '../base/log'
import type { Executions } from '../execution/port'
import type { Store } from '../store/store'
import { Activities } from './activity'
import { type Archive, createArchive } from './archive'
import { createCalls } from './calls'
import { createContinuations } from './continuations'
import { type Conversation, createConversation } from './conversation'
import { createMessages } from './messages'
import type { FleetSummary, ModelSource, ToolPort } from './ports'
import { systemPrompt } from './prompt'
import { recoverTurns } from './recover'
import { type RetryRules, retryRules } from './retry'
import { createSessions } from './sessions'
import { type StreamLimits, streamLimits } from './stream'
import { type TurnLimits, turnLimits } from './turn'
import { Turns, type TurnsDeps } from './turns'
import { createUsages } from './usage'
import { Watcher } from './watcher'

export { createSessionsPort } from './archive'

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

/** The conversations and the loop behind them. */
export interface Agent extends Conversation, Archive {
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

export function createAgent(deps: AgentDeps): Agent {
  const { store, executions, log } = deps
  const sessions = createSessions(store)
  const messages = createMessages(store)
  const calls = createCalls(store)
  const continuations = createContinuations(store, randomUUID())
  const activity = new Activities(store)
  const usages = createUsages(store)
  const turnsDeps: TurnsDeps = {
    ...{ store, sessions, messages, calls, continuations, activity, log },
    tools: deps.tools,
    models: deps.models,
    usages,
    modelOf: (sessionId) => sessions.find(sessionId)?.model ?? null,
    system: () => systemPrompt(deps),
    retry: deps.retry ?? retryRules,
    limits: deps.limits ?? turnLimits,
    streamLimits: deps.streamLimits ?? streamLimits,
    onFree: next
  }
  const turns = new Turns(turnsDeps)
  const { next: startQueued, ...conversation } = createConversation({
    store,
    sessions,
    messages,
    continuations,
    executions,
    turns
  })
  const archive = createArchive({
    ...{ store, sessions, messages, calls, activity, usages, executions, turns },
    isModel: (name) => deps.models.has(name)
  })
  const watcher = new Watcher({ store, sessions, messages, continuations, executions, log, turns })

  /** When a session is free: the operator's queued words first, then results. */
  function next(sessionId: string): void {
    if (turns.isLive(sessionId) || !sessions.find(sessionId)) return
    if (!startQueued(sessionId)) watcher.wake(sessionId)
  }

  return {
    ...conversation,
    ...archive,
    activities: () => activity.all(),
    recover() {
      recoverTurns(turnsDeps, turns)
      for (const sessionId of messages.sessionsWithQueue()) turns.startNext(sessionId)
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
