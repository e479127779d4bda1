import type { AppError } from '../base/result'
import type { Breaker } from './breaker'
import type { Answer, Attempt } from './stream'

/** How often and how long to wait before a model is asked again. The only place that retries. */
export interface RetryRules {
  readonly maxRetries: number
  readonly baseMs: number
  readonly capMs: number
  /** Longest wish of the service that is honoured; a longer one is told to the operator instead. */
  readonly longestRetryAfterMs: number
  /** Resolves after so many milliseconds, or at once when aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Between 0 and 1. */
  readonly random: () => number
}

export const retryRules: RetryRules = {
  maxRetries: 4,
  baseMs: 500,
  capMs: 20_000,
  longestRetryAfterMs: 60_000,
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
    })
}

export type Asked =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failure'; readonly error: AppError; readonly emitted: boolean }
  | { readonly type: 'aborted' }

/**
 * Asks until there is an answer: passing failures back off exponentially with full jitter, and honour what the
 * service wishes; an empty, cut or refused answer is asked for once more, unless silence is a
 * fine answer. Once a piece of text was shown, nothing is
 * asked again by itself. A service that has failed again and again is left alone for a while first.
 */
export async function askPatiently(
  ask: () => Promise<Attempt>,
  rules: RetryRules,
  silenceIsFine: boolean,
  signal: AbortSignal,
  breaker: Breaker,
  told: { readonly onWait: (ms: number) => void; readonly onRest: (ms: number) => void }
): Promise<Asked> {
  let askedAgain = silenceIsFine
  for (let retries = 0; ; retries++) {
    await breaker.enter(rules.wait, signal, told.onRest)
    if (signal.aborted) return { type: 'aborted' }
    const attempt = await ask()
    breaker.learn(shownBy(attempt))
    if (attempt.type === 'aborted' || signal.aborted) return { type: 'aborted' }
    if (attempt.type === 'answer') {
      const { text, calls, end } = attempt.answer
      const nothing = text.trim() === '' && calls.length === 0 && end !== 'length' && end !== 'pause'
      if (!nothing || askedAgain) return attempt
      askedAgain = true
      continue
    }
    const { failure, emitted } = attempt
    const tooLong = (failure.retryAfterMs ?? 0) > rules.longestRetryAfterMs
    if (emitted || !failure.passing || tooLong || retries >= rules.maxRetries)
      return { type: 'failure', error: withPause(failure.error, breaker.pause), emitted }
    const backOff = rules.random() * Math.min(rules.capMs, rules.baseMs * 2 ** retries)
    const pause = failure.retryAfterMs ?? backOff
    told.onWait(pause)
    await rules.wait(pause, signal)
    if (signal.aborted) return { type: 'aborted' }
  }
}

/** Failures that say that a service is not there, whoever asks. One that has too much to do is there. */
const notThere = new Set(['model_unavailable', 'model_unreachable', 'model_timeout'])

function shownBy(attempt: Attempt): 'there' | 'not there' | 'nothing' {
  if (attempt.type === 'aborted') return 'nothing'
  return attempt.type === 'failure' && notThere.has(attempt.failure.error.code) ? 'not there' : 'there'
}

const withPause = (error: AppError, ms: number): AppError =>
  ms === 0
    ? error
    : {
        ...error,
        hint: `${error.hint ?? ''} It has failed several times in a row, so it is left alone and tried again in ${Math.ceil(ms / 1000)} s at the earliest.`.trim()
      }
