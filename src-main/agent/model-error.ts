import { z } from 'zod'
import type { AppError } from '../base/result'
import { readJson } from '../base/json'
import { messageOf } from '../base/result'
import { redact } from '../base/redact'
import { firstWords } from './text'

/** Why a call of the model brought no usable answer. */
export interface ModelFailure {
  readonly error: AppError
  /** Asking again may help. */
  readonly passing: boolean
  /** Milliseconds that the service wants to be left alone. */
  readonly retryAfterMs: number | null
}

/** Thrown by the layer below the SDK for answers that are no stream; carries its words through the SDK. */
export class ModelAnswerError extends Error {
  override readonly name = 'ModelAnswerError'

  /** `again`: the same question may be answered otherwise. */
  constructor(
    message: string,
    readonly again = true
  ) {
    super(message)
  }
}

const apiError = z.object({
  message: z.string(),
  statusCode: z.number().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional(),
  cause: z.unknown().optional()
})
/** An error object inside the stream: OpenRouter, vLLM, Anthropic. */
const streamError = z.object({
  message: z.string().optional(),
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish()
})

const failure = (
  code: string,
  message: string,
  hint: string,
  passing = false,
  retryAfterMs: number | null = null
): ModelFailure => ({ error: { code, message: redact(message), hint }, passing, retryAfterMs })

const words = (detail: string): string =>
  detail.trim() === '' ? '' : ` It said: “${firstWords(detail, 300)}”`

/** What the service said is there by itself, too: sentences in other languages quote it. */
function saying(detail: string, failed: (detail: string) => ModelFailure): ModelFailure {
  const failure = failed(detail)
  const said = redact(firstWords(detail, 300))
  return said.trim() === '' ? failure : { ...failure, error: { ...failure.error, data: { said } } }
}

const tryAgain = 'Nothing was lost. Try again, or choose another model in the settings.'

/** Puts whatever a model call threw into words. */
export function failureOf(thrown: unknown): ModelFailure {
  const answer = findCause(thrown, (error): error is ModelAnswerError => error instanceof ModelAnswerError)
  if (answer)
    return failure(
      'model_bad_answer',
      answer.message,
      answer.again
        ? 'Check the base URL in the settings; it usually ends in /v1.'
        : 'Ask for less at once, or choose another model in the settings.',
      answer.again
    )

  const api = apiError.safeParse(thrown)
  const status = api.success ? api.data.statusCode : undefined
  if (api.success && status !== undefined && status !== 200)
    return saying(detailOf(api.data.responseBody) || api.data.message, (detail) =>
      byStatus(status, detail, retryAfter(api.data.responseHeaders ?? {}), kindOf(api.data.responseBody))
    )

  const inStream = streamError.safeParse(thrown)
  if (inStream.success && !(thrown instanceof Error))
    return saying(inStream.data.message ?? '', () => byStreamError(inStream.data))

  const code = causeCode(thrown)
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return failure('model_timeout', 'The model’s service was silent for too long.', tryAgain, true)
  if (code !== null || /cannot connect|fetch failed|terminated|other side closed/i.test(messageOf(thrown)))
    return failure(
      'model_unreachable',
      `The model’s service cannot be reached${code === null ? '' : ` (${code})`}.`,
      'Check that it runs and that its address in the settings is right, then try again.',
      true
    )
  return failure(
    'model_stream_broken',
    `The model’s answer could not be read: ${firstWords(messageOf(thrown), 300)}`,
    tryAgain,
    true
  )
}

/** `kind`: the code and type that a service gives beside its words, such as `insufficient_quota`. */
function byStatus(status: number, detail: string, retryAfterMs: number | null, kind = ''): ModelFailure {
  const told = `${kind} ${detail}`
  if (
    /context.{0,20}(length|window|size)|too many tokens|maximum context|prompt is too long|n_keep|exceed.{0,30}context/i.test(
      told
    )
  )
    return contextFull(detail)
  if (status === 402 || /insufficient[_ ](quota|credit|funds|balance)|credit balance|billing/i.test(told))
    return failure(
      'model_no_credit',
      `The model’s service refuses for lack of credit.${words(detail)}`,
      'Top up the account, or choose another model in the settings.'
    )
  if (status === 401 || status === 403)
    return failure(
      'model_key_rejected',
      `The model’s service did not accept the API key (${status}).${words(detail)}`,
      'Set the key again in the settings.'
    )
  if (status === 404)
    return failure(
      'model_not_found',
      `The model’s service does not know this address or model (404).${words(detail)}`,
      'Check base URL and model name in the settings.'
    )
  if (status === 429)
    return failure(
      'model_busy',
      `The model’s service has too many requests (429).${words(detail)}`,
      'Wait a little and try again.',
      true,
      retryAfterMs
    )
  if (status === 408 || status === 409 || status >= 500)
    return failure(
      'model_unavailable',
      `The model’s service failed (${status}).${words(detail)}`,
      tryAgain,
      true,
      retryAfterMs
    )
  return failure(
    'model_request_refused',
    `The model’s service refused the request (${status}).${words(detail)}`,
    tryAgain
  )
}

function byStreamError(error: z.infer<typeof streamError>): ModelFailure {
  const detail = error.message ?? ''
  const kind = `${error.code ?? ''} ${error.type ?? ''}`
  const status = Number(error.code)
  if (Number.isInteger(status) && status >= 400) return byStatus(status, detail, null)
  if (/overloaded|unavailable|server_error|api_error/i.test(kind)) return byStatus(503, detail, null)
  if (/rate_limit/i.test(kind)) return byStatus(429, detail, null)
  if (/insufficient|billing/i.test(kind)) return byStatus(402, detail, null)
  if (/authentication|permission/i.test(kind)) return byStatus(401, detail, null)
  if (/context_length/i.test(kind)) return contextFull(detail)
  return failure(
    'model_error',
    `The model’s service reported an error in its answer.${words(detail)}`,
    tryAgain,
    true
  )
}

export const contextFull = (detail: string): ModelFailure =>
  failure(
    'context_full',
    `The conversation no longer fits into what the model can read at once.${words(detail)}`,
    'Start a new conversation, or set a model with a larger context window.'
  )

export const windowTooSmall = (window: number, needed: number): ModelFailure =>
  failure(
    'context_window_too_small',
    `The model reads ${window} tokens at once, which is too little: the tools alone need a window of about ${needed}.`,
    'Set a model with a larger context window, or raise the one it is run with.'
  )

/** The message inside a JSON error body; nothing for HTML and the like. */
function detailOf(body: string | undefined): string {
  try {
    const parsed = z
      .object({ error: z.union([z.string(), z.object({ message: z.string() })]) })
      .or(z.object({ message: z.string() }))
      .parse(JSON.parse(body ?? ''))
    if ('message' in parsed) return parsed.message
    return typeof parsed.error === 'string' ? parsed.error : parsed.error.message
  } catch {
    return ''
  }
}

/** The code and type inside a JSON error body. */
function kindOf(body: string | undefined): string {
  const { error } = z.object({ error: streamError }).safeParse(readJson(body ?? '')).data ?? {}
  return `${error?.code ?? ''} ${error?.type ?? ''}`
}

/** `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
export function retryAfter(headers: Readonly<Record<string, string>>, now = Date.now()): number | null {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return Math.max(0, ms)
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function findCause<T>(thrown: unknown, matches: (error: unknown) => error is T): T | null {
  for (let error = thrown, depth = 0; error !== undefined && error !== null && depth < 6; depth++) {
    if (matches(error)) return error
    error = typeof error === 'object' && 'cause' in error ? error.cause : null
  }
  return null
}

/** The system's or undici's code of a network error, such as ECONNREFUSED. */
function causeCode(thrown: unknown): string | null {
  const coded = findCause(
    thrown,
    (error): error is { code: string } =>
      typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
  )
  return coded?.code ?? null
}
