import { onTestFinished, vi } from 'vitest'
import type { MessageView, NomosEvent, SessionPage } from '../../src-preload/contract'
import { createAgent, type Agent, type AgentDeps } from '../../src-main/agent/agent'
import type { ToolPort } from '../../src-main/agent/ports'
import { createModelSource } from '../../src-main/agent/providers'
import { type RetryRules, retryRules } from '../../src-main/agent/retry'
import { type Clock, systemClock } from '../../src-main/base/clock'
import { silentLogger } from '../../src-main/base/log'
import { fail } from '../../src-main/base/result'
import type { Store } from '../../src-main/store/store'
import type { ModelServer } from './model-server'
import { testStore } from './store'
import { tableExecutions, type TableExecutions } from './table-executions'
import { type TestTool, toolPort } from './tool-port'

export interface AgentScene {
  readonly agent: Agent
  readonly store: Store
  readonly tables: TableExecutions
  readonly events: readonly NomosEvent[]
  readonly waits: readonly number[]
  readonly sessionId: string
  page(): SessionPage
  messages(): readonly MessageView[]
  /** The assistant's newest message. */
  answer(): MessageView
  /** All text of a message. */
  textOf(message: MessageView): string
  noticeOf(message: MessageView): string | null
  /** Resolves when nothing runs and nothing is queued. */
  rests(): Promise<void>
}

export interface SceneOptions {
  readonly tools?: Readonly<Record<string, TestTool>>
  readonly port?: ToolPort
  readonly store?: Store
  readonly clock?: Clock
  readonly contextWindow?: number
  /** Further models by their names; may change while the scene runs. */
  readonly models?: Record<string, ModelServer>
  readonly sessionId?: string
  readonly retry?: Partial<RetryRules>
  readonly limits?: AgentDeps['limits']
  readonly streamLimits?: AgentDeps['streamLimits']
}

/** The whole agent on a real database, with a real model connection to a scripted server. */
export function agentScene(server: ModelServer, options: SceneOptions = {}): AgentScene {
  const clock = options.clock ?? systemClock
  const store = options.store ?? testStore(undefined, clock)
  const tables = tableExecutions(store)
  const waits: number[] = []
  const models = createModelSource({
    modelConfig: (name) => {
      const chosen = name === null ? server : options.models?.[name]
      return (
        chosen && {
          provider: 'openai-compatible',
          baseURL: chosen.baseURL,
          model: name ?? 'scripted',
          contextWindow: options.contextWindow ?? 128_000
        }
      )
    },
    secrets: { resolve: () => Promise.resolve(fail('secret_missing', 'none')) }
  })
  const agent = createAgent({
    store,
    tools: options.port ?? toolPort(options.tools ?? {}),
    models,
    executions: tables.executions,
    fleetSummary: () => 'strong: online',
    soul: 'You are Nomos.',
    toolsSummary: () => '',
    skillsIndex: () => '',
    clock,
    log: silentLogger,
    retry: {
      ...retryRules,
      random: () => 1,
      wait: (ms) => {
        waits.push(ms)
        return Promise.resolve()
      },
      ...options.retry
    },
    ...(options.limits && { limits: options.limits }),
    ...(options.streamLimits && { streamLimits: options.streamLimits })
  })
  onTestFinished(async () => {
    await agent.close()
    await models.close()
  })
  const events: NomosEvent[] = []
  store.bus.subscribe(({ event }) => void events.push(event))
  const created = options.sessionId === undefined ? agent.createSession() : null
  const sessionId = created?.ok ? created.value.id : (options.sessionId ?? '')

  const page = (): SessionPage => {
    const opened = agent.openSession(sessionId, undefined, 200)
    if (!opened.ok) throw new Error(opened.error.message)
    return opened.value
  }
  const scene: AgentScene = {
    agent,
    store,
    tables,
    events,
    waits,
    sessionId,
    page,
    messages: () => page().messages,
    answer() {
      const message = page().messages.findLast((each) => each.role === 'assistant')
      if (!message) throw new Error('no answer')
      return message
    },
    textOf: (message) =>
      message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'),
    noticeOf: (message) =>
      message.parts.flatMap((part) => (part.type === 'notice' ? [part.error.code] : []))[0] ?? null,
    rests: () =>
      vi.waitFor(
        () => {
          const { session, messages } = page()
          const open = messages.filter(
            (message) => message.state === 'streaming' || message.state === 'queued'
          )
          const claims = store.db
            .prepare(`SELECT COUNT(*) FROM continuations WHERE state IN ('pending', 'claimed')`)
            .pluck()
            .get()
          if (session.state === 'running' || open.length > 0 || claims !== 0)
            throw new Error(`still ${session.state}`)
        },
        { timeout: 10_000, interval: 5 }
      )
  }
  return scene
}
