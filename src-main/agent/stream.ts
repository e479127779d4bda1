import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage
} from '@ai-sdk/provider'
import type { ModelFailure } from './model-error'
import { failureOf } from './model-error'

/** A tool call as the model wrote it; its arguments are not yet parsed. */
export interface AskedCall {
  readonly name: string
  readonly args: string
}

/**
 * How an answer ended.
 * `cut`: the stream ended without a word of its end. `length`: the output limit was met.
 * `pause`: the service wants to be asked again to go on.
 */
type AnswerEnd = 'stop' | 'length' | 'refused' | 'cut' | 'pause'

export interface Answer {
  readonly text: string
  /** Empty unless the answer ended properly: a cut stream never becomes a tool call. */
  readonly calls: readonly AskedCall[]
  readonly end: AnswerEnd
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input: what the service had read before. */
  readonly cachedTokens: number
  /** US dollars, where the service tells it; else null. */
  readonly cost: number | null
}

type Used = Pick<Answer, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'cost'>

export type Attempt =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failure'; readonly failure: ModelFailure; readonly emitted: boolean }
  | { readonly type: 'aborted' }

/** Limits in milliseconds on a stream that stays open: `progress` between two pieces of content, `total` over all. */
export interface StreamLimits {
  readonly progressMs: number
  readonly totalMs: number
}
export const streamLimits: StreamLimits = { progressMs: 300_000, totalMs: 900_000 }

export interface StreamListener {
  text(delta: string): void
  /** Something came that is no text: reasoning, or the start of a tool call. */
  working(): void
}

/** Asks the model once and reads its answer to the end. Never throws, never retries. */
export async function readAnswer(
  model: LanguageModelV3,
  options: Omit<LanguageModelV3CallOptions, 'abortSignal'>,
  signal: AbortSignal,
  listener: StreamListener,
  limits: StreamLimits = streamLimits
): Promise<Attempt> {
  const watchdog = new Watchdog(limits)
  const abort = AbortSignal.any([signal, watchdog.signal])
  const reading = new Reading(listener, () => watchdog.progress())
  try {
    const { stream } = await model.doStream({ ...options, abortSignal: abort })
    const reader = stream.getReader()
    try {
      for (;;) {
        const { done, value } = await untilAborted(reader.read(), abort)
        if (done) break
        reading.take(value)
      }
    } finally {
      void reader.cancel().catch(() => undefined)
    }
    return signal.aborted ? { type: 'aborted' } : { type: 'answer', answer: reading.answer() }
  } catch (thrown) {
    if (signal.aborted) return { type: 'aborted' }
    if (reading.text !== '' && isConnectionLoss(thrown)) return { type: 'answer', answer: reading.cut() }
    const cause = watchdog.reason ?? (thrown instanceof ErrorPart ? thrown.cause : thrown)
    return { type: 'failure', failure: failureOf(cause), emitted: reading.text !== '' }
  } finally {
    watchdog.stop()
  }
}

/** An error part of the stream, as thrown to leave the reading. */
class ErrorPart extends Error {
  constructor(override readonly cause: unknown) {
    super('the stream carried an error')
  }
}

/** What has been read so far, by the rules for how streams end. */
class Reading {
  text = ''
  private readonly calls: AskedCall[] = []
  private finish: LanguageModelV3FinishReason | null = null
  private used: Used = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: null }

  constructor(
    private readonly listener: StreamListener,
    private readonly progress: () => void
  ) {}

  take(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        if (part.delta === '') return
        this.text += part.delta
        this.listener.text(part.delta)
        break
      case 'reasoning-delta':
      case 'tool-input-start':
      case 'tool-input-delta':
        this.listener.working()
        break
      case 'tool-call':
        if (part.providerExecuted !== true) this.calls.push({ name: part.toolName, args: part.input })
        break
      case 'finish':
        this.finish = part.finishReason
        this.used = usedIn(part.usage)
        return
      case 'error':
        if (isMissingEnd(part.error)) return
        throw new ErrorPart(part.error)
      default:
        return
    }
    this.progress()
  }

  answer(): Answer {
    const end = this.end()
    if (end === 'cut' || end === 'refused') return { ...this.cut(), end }
    return { ...this.cut(), calls: this.calls, end }
  }

  cut(): Answer {
    return { text: this.text, calls: [], end: 'cut', ...this.used }
  }

  private end(): AnswerEnd {
    if (this.finish === null) return 'cut'
    if (this.finish.raw === 'pause_turn') return 'pause'
    switch (this.finish.unified) {
      case 'stop':
      case 'tool-calls':
        return 'stop'
      case 'length':
        return 'length'
      case 'content-filter':
        return 'refused'
      case 'error':
      case 'other':
        return 'cut'
    }
  }
}

/**
 * What a service says that it has counted. OpenRouter tells the cost in the field `cost` of every answer, in credits of
 * one US dollar each (openrouter.ai/docs/use-cases/usage-accounting); others leave it out.
 */
function usedIn({ inputTokens, outputTokens, raw }: LanguageModelV3Usage): Used {
  const cost = raw?.['cost']
  return {
    inputTokens: counted(inputTokens.total),
    outputTokens: counted(outputTokens.total),
    cachedTokens: counted(inputTokens.cacheRead),
    cost: typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null
  }
}

/** A count as a service sends it, which may be anything. */
const counted = (tokens: unknown): number =>
  typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? Math.round(tokens) : 0

/** The SDK reports an end without a finish reason as an error; here it is a cut stream. */
const isMissingEnd = (error: unknown): boolean =>
  error instanceof Error && /without a finish reason/.test(error.message)

/** The line broke in the middle: what was said stays, as the answer of a cut stream. */
const isConnectionLoss = (thrown: unknown): boolean => !(thrown instanceof ErrorPart)

/** Aborts when nothing of substance came for too long; keep-alive comments do not count. */
class Watchdog {
  private readonly controller = new AbortController()
  private readonly total: NodeJS.Timeout
  private idle: NodeJS.Timeout
  reason: Error | null = null

  constructor(private readonly limits: StreamLimits) {
    this.total = setTimeout(() => this.bark(), limits.totalMs)
    this.idle = setTimeout(() => this.bark(), limits.progressMs)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  progress(): void {
    clearTimeout(this.idle)
    this.idle = setTimeout(() => this.bark(), this.limits.progressMs)
  }

  stop(): void {
    clearTimeout(this.total)
    clearTimeout(this.idle)
  }

  private bark(): void {
    this.reason = Object.assign(new Error('no answer in time'), { code: 'UND_ERR_BODY_TIMEOUT' })
    this.controller.abort(this.reason)
  }
}

/** Stops waiting as soon as the signal fires, whatever the stream does. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
