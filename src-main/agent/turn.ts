import type { MessageState } from '../../src-preload/contract'
import { readJson } from '../base/json'
import type { Tx } from '../store/store'
import { fitPrompt, neededWindow, tokensOf } from './compact'
import { handedOnText } from './handed-on'
import { pastOf } from './history'
import { contextFull, windowTooSmall } from './model-error'
import type { Notice } from './messages'
import { notices } from './notices'
import type { CurrentModel, ModelSource, ToolInfo } from './ports'
import { type Asked, askPatiently, type RetryRules } from './retry'
import { type CallDeps, CallMemory, type CallScope, runCalls } from './run-calls'
import { type Answer, readAnswer, type StreamLimits } from './stream'
import { type Usages, usageOf, withAnswer } from './usage'
import { TextWriter } from './writer'

export interface TurnLimits {
  readonly calls: number
  readonly minutes: number
}
export const turnLimits: TurnLimits = { calls: 80, minutes: 20 }

export interface TurnDeps extends CallDeps {
  readonly models: ModelSource
  readonly usages: Usages
  /** Name of the model that a session has chosen; null for the default one. */
  readonly modelOf: (sessionId: string) => string | null
  /** The head of the prompt, made anew at each turn. */
  readonly system: () => string
  readonly retry: RetryRules
  readonly limits: TurnLimits
  readonly streamLimits: StreamLimits
}

/** Why a turn is ended from outside: the reason of its abort signal. */
export type AbortReason = 'stopped' | 'time' | 'closing'

export interface TurnRun {
  readonly sessionId: string
  /** The assistant's message, already there as a placeholder. */
  readonly messageId: string
  readonly signal: AbortSignal
  /** Joins the transaction that ends the message. */
  readonly onEnd: (tx: Tx) => void
}

/** How the message is left: its last state, and what the app has to say about it. */
interface End {
  readonly state: MessageState
  readonly notice?: Notice
}
const done: End = { state: 'done' }
const failed = (notice: Notice): End => ({ state: 'error', notice })

/**
 * One run of the loop: ask the model, write its words as they come, run its calls, feed the results back, until it
 * stops. A continuation that has only handed on the next step ends there, with a sentence of the app. The message never ends
 * blank. When the program closes it stays open, and is resumed at the next start.
 */
export async function runTurn(deps: TurnDeps, run: TurnRun): Promise<void> {
  const end = await new Turn(deps, run).untilItStops()
  if (end) endMessage(deps, run, end)
}

/** Ends a message in one transaction with everything that hangs on it. */
export function endMessage(
  deps: Pick<TurnDeps, 'store' | 'messages' | 'calls'>,
  run: Pick<TurnRun, 'messageId' | 'onEnd'>,
  end: { readonly state: MessageState; readonly notice?: Notice }
): void {
  deps.store.transact((tx) => {
    if (deps.messages.row(run.messageId)?.state !== 'streaming') return
    deps.calls.interrupt(tx, run.messageId)
    if (end.notice)
      deps.messages.addPart(run.messageId, {
        type: 'notice',
        step: nextStep(deps, run.messageId),
        data: end.notice
      })
    deps.messages.setState(tx, run.messageId, end.state)
    run.onEnd(tx)
  })
}

const nextStep = (deps: Pick<TurnDeps, 'messages'>, messageId: string): number =>
  1 + Math.max(-1, ...deps.messages.parts(messageId).map((part) => part.step))

class Turn {
  private readonly memory: CallMemory
  private callsLeft: number
  private tools: readonly ToolInfo[] = []
  private readonly system: string
  private nudge: string | undefined
  private nudged = false
  private cutShort = false
  private shrunk = false
  private expectsResult = false
  /** Reckoned length of the prompt that was sent last, in tokens. */
  private sentTokens = 0

  constructor(
    private readonly deps: TurnDeps,
    private readonly run: TurnRun
  ) {
    this.callsLeft = deps.limits.calls - deps.calls.ofMessage(run.messageId).length
    this.memory = new CallMemory()
    this.system = deps.system()
  }

  /** Null when the program closes and the message is to stay open. */
  async untilItStops(): Promise<End | null> {
    const current = await this.deps.models.current(this.deps.modelOf(this.run.sessionId))
    if (!current.ok) return failed(notices.failed(current.error, false))
    this.tools = await this.deps.tools.list()
    this.rememberEarlierCalls()
    let { contextWindow } = current.value
    for (;;) {
      if (this.run.signal.aborted) return this.aborted()
      const step = nextStep(this.deps, this.run.messageId)
      const asked = await this.ask(current.value, contextWindow, step)
      if (asked.type === 'aborted') return this.aborted()
      if (asked.type === 'failure') {
        if (asked.error.code !== 'context_full' || this.shrunk)
          return failed(notices.failed(asked.error, this.hasContent()))
        this.shrunk = true
        contextWindow /= 2
        continue
      }
      this.count(asked.answer)
      const end = await this.follow(asked.answer, step)
      if (end === 'closing') return null
      if (end !== 'goes on') return end
    }
  }

  private async ask({ model, breaker }: CurrentModel, contextWindow: number, step: number): Promise<Asked> {
    const { deps, run } = this
    const prompt = fitPrompt(
      { system: this.system, past: this.past(), ...(this.nudge !== undefined && { nudge: this.nudge }) },
      this.tools,
      contextWindow
    )
    this.nudge = undefined
    if (!prompt) {
      const needed = neededWindow(this.system, this.tools)
      const { error } = needed > contextWindow ? windowTooSmall(contextWindow, needed) : contextFull('')
      return { type: 'failure', error, emitted: false }
    }
    this.sentTokens = tokensOf(JSON.stringify(prompt)) + tokensOf(JSON.stringify(this.tools))
    const writer = new TextWriter(
      deps.store,
      deps.messages,
      { id: run.messageId, sessionId: run.sessionId },
      step
    )
    const options = {
      prompt,
      ...(this.tools.length > 0 && {
        tools: this.tools.map(({ name, description, inputSchema }) => ({
          type: 'function' as const,
          name,
          description,
          inputSchema
        }))
      })
    }
    const activity = (
      phase: 'thinking' | 'answering' | 'waiting' | 'resting',
      text: string,
      pause?: number
    ) => deps.activity.set(run.sessionId, run.messageId, phase, text, { pause: pause ?? null })
    try {
      return await askPatiently(
        () => {
          activity('thinking', 'Thinking')
          const listener = {
            text: (delta: string) => {
              writer.add(delta)
              activity('answering', 'Answering')
            },
            working: () => activity('thinking', 'Thinking')
          }
          return readAnswer(model, options, run.signal, listener, deps.streamLimits)
        },
        deps.retry,
        this.expectsResult,
        run.signal,
        breaker,
        {
          onWait: (ms) =>
            activity('waiting', `Waiting ${seconds(ms)}: no answer from the model's service yet`, ms),
          onRest: (ms) =>
            activity('resting', `The model's service does not answer; tried again in ${seconds(ms)}`, ms)
        }
      )
    } finally {
      writer.flush()
    }
  }

  /** Does what an answer asks for, by how it ended. */
  private async follow(answer: Answer, step: number): Promise<End | 'goes on' | 'closing'> {
    if (answer.end === 'refused') return failed(notices.refused())
    if (answer.end === 'cut') return failed(notices.cut(this.offer()))
    if (answer.calls.length > 0) return this.runCallsOf(answer, step)
    if (answer.end === 'length') return failed(notices.tooLong())
    if (answer.end === 'pause') return 'goes on'
    if (answer.text.trim() === '')
      return this.expectsResult ? this.handedOn() : failed(notices.empty(this.offer()))
    if (this.nudged || !leakedCall.test(answer.text)) return done
    this.nudged = true
    this.nudge =
      'A tool call stands in your answer as text and was not run. Make the call through the tool interface.'
    return 'goes on'
  }

  private async runCallsOf(answer: Answer, step: number): Promise<End | 'goes on' | 'closing'> {
    const overLimit = answer.end === 'length'
    if (overLimit && this.cutShort) return failed(notices.tooLong())
    this.cutShort = overLimit
    const allowed = this.callsLeft
    const last = answer.calls.length - 1
    const scope: CallScope = { ...this.run, tools: this.tools, memory: this.memory }
    const after = await runCalls(this.deps, scope, step, answer.calls.slice(0, mostCalls), (index) => {
      if (overLimit && index === last)
        return 'Your answer met the output limit inside this call, so it was not run. Make the call again, shorter.'
      if (index >= allowed)
        return `The turn's limit of ${this.deps.limits.calls} calls is met, so this call was not run.`
      return null
    })
    this.expectsResult = after !== 'go on'
    this.callsLeft -= answer.calls.length
    if (this.run.signal.aborted) return this.aborted() ?? 'closing'
    if (after === 'under way' && this.isContinuation()) return this.handedOn()
    return this.callsLeft <= 0 ? failed(notices.callLimit(this.deps.limits.calls)) : 'goes on'
  }

  /** The end of a turn whose result comes by itself; where the model said nothing, the app tells what it did. */
  private handedOn(): End {
    const { store, messages, calls } = this.deps
    const { messageId } = this.run
    const said = messages.parts(messageId).some((part) => part.type === 'text' && part.text.trim() !== '')
    const own = calls.ofMessage(messageId)
    const text = said ? null : handedOnText(own.filter((call) => call.step === own.at(-1)?.step))
    if (text !== null)
      store.transact((tx) => {
        messages.addPart(messageId, { type: 'text', step: nextStep(this.deps, messageId), text })
        messages.announce(tx, messageId)
      })
    return done
  }

  private aborted(): End | null {
    switch (this.run.signal.reason as AbortReason) {
      case 'closing':
        return null
      case 'time':
        return failed(notices.timeLimit(this.deps.limits.minutes))
      case 'stopped':
        return { state: 'done', notice: notices.stopped() }
    }
  }

  private past() {
    const { messages, calls } = this.deps
    const own = messages.row(this.run.messageId)
    const stored = messages.upTo(this.run.sessionId, own?.seq ?? 0)
    const reads = new Set(this.tools.filter((tool) => tool.readOnly).map((tool) => tool.name))
    const known = new Set(this.tools.map((tool) => tool.name))
    return pastOf(
      stored.map((message) => ({
        message,
        parts: messages.parts(message.id),
        attachments: message.role === 'user' ? messages.attachments(message.id) : [],
        calls: calls.ofMessage(message.id)
      })),
      (name) => known.has(name) && !reads.has(name)
    )
  }

  /** After a restart in the middle of a turn its finished calls are reused, not run again. */
  private rememberEarlierCalls(): void {
    for (const call of this.deps.calls.ofMessage(this.run.messageId)) {
      const args = readJson(call.args)
      if (call.state !== 'done' || call.text === null || args === undefined) continue
      const readOnly = this.tools.find((tool) => tool.name === call.name)?.readOnly ?? true
      this.memory.remember(call.name, args, readOnly, Promise.resolve({ text: call.text }))
    }
  }

  private hasContent(): boolean {
    return this.deps.messages.parts(this.run.messageId).some((part) => part.type !== 'notice')
  }

  private offer(): 'retry' | 'continue' {
    return this.isContinuation() || this.hasContent() ? 'continue' : 'retry'
  }

  private isContinuation(): boolean {
    return this.deps.messages.row(this.run.messageId)?.kind === 'continuation'
  }

  private count(answer: Answer): void {
    const { store, messages, usages } = this.deps
    const row = messages.row(this.run.messageId)
    if (!row) return
    store.transact((tx) => {
      messages.setUsage(row.id, withAnswer(usageOf(row), answer, this.sentTokens))
      usages.announce(tx, this.run.sessionId)
    })
  }
}

const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))} s`

/** Calls of one answer that are looked at; a model that asks for more has lost its way. */
const mostCalls = 200

/** A tool call that a streaming layer has let through as text. */
const leakedCall = /<tool_call>|<function=|<\|tool_call|<｜tool▁call/
