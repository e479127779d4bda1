import { Breaker } from '../../../src-main/agent/breaker'
import { expect, test } from 'vitest'
import { failureOf, retryAfter } from '../../../src-main/agent/model-error'
import { askPatiently, retryRules } from '../../../src-main/agent/retry'
import type { Attempt } from '../../../src-main/agent/stream'

const api = (statusCode: number, message = '', responseBody?: string) =>
  Object.assign(new Error(message), {
    statusCode,
    responseHeaders: {},
    ...(responseBody !== undefined && { responseBody })
  })

const json = (code: string, message: string) => JSON.stringify({ error: { code, message } })

test.each([
  [api(429, 'slow down'), 'model_busy', true],
  [api(429, 'You exceeded your current quota: insufficient_quota'), 'model_no_credit', false],
  [api(400, 'Cannot truncate prompt with n_keep >= n_ctx'), 'context_full', false],
  [api(429, 'Slow', json('insufficient_quota', 'You exceeded your current quota')), 'model_no_credit', false],
  [api(400, 'Bad', json('context_length_exceeded', 'Too much')), 'context_full', false],
  [api(400, 'bad tool schema'), 'model_request_refused', false],
  [api(413, 'too big'), 'model_request_refused', false],
  [api(403, 'no'), 'model_key_rejected', false],
  [api(500, 'oops'), 'model_unavailable', true],
  [{ message: 'Overloaded', type: 'overloaded_error' }, 'model_unavailable', true],
  [{ message: 'rate', code: 'rate_limit_exceeded' }, 'model_busy', true],
  [{ message: 'x', code: '429' }, 'model_busy', true],
  [{ message: 'odd' }, 'model_error', true],
  [
    Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' })
    }),
    'model_unreachable',
    true
  ],
  [
    Object.assign(new TypeError('terminated'), {
      cause: Object.assign(new Error(''), { code: 'UND_ERR_BODY_TIMEOUT' })
    }),
    'model_timeout',
    true
  ],
  ['a string', 'model_stream_broken', true]
])('%o is told as %s', (thrown, code, passing) => {
  expect(failureOf(thrown)).toMatchObject({ error: { code }, passing })
})

test('the service’s own words are shown, cut and without secrets', () => {
  const body = JSON.stringify({ error: { message: `key sk-${'a'.repeat(30)} is wrong ${'x'.repeat(1000)}` } })
  const { error } = failureOf(api(401, 'Unauthorized', body))
  expect(error.message).toContain('is wrong')
  expect(error.message).not.toContain('sk-aaaa')
  expect(error.message.length).toBeLessThan(450)
})

test('Retry-After is read as seconds, as milliseconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfter({ 'retry-after': '3' })).toBe(3000)
  expect(retryAfter({ 'retry-after-ms': '250', 'retry-after': '3' })).toBe(250)
  expect(retryAfter({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, now)).toBe(10_000)
  expect(retryAfter({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now)).toBe(0)
  expect(retryAfter({ 'retry-after': 'soon' })).toBeNull()
  expect(retryAfter({})).toBeNull()
})

const quiet = { onWait: () => undefined, onRest: () => undefined }

test('nothing is asked again once a piece of text was shown', async () => {
  let asked = 0
  const failing = (): Promise<Attempt> => {
    asked++
    return Promise.resolve({ type: 'failure', failure: failureOf(api(503, 'gone')), emitted: true })
  }
  const result = await askPatiently(
    failing,
    retryRules,
    false,
    new AbortController().signal,
    new Breaker(),
    quiet
  )
  expect(result).toMatchObject({ type: 'failure', error: { code: 'model_unavailable' } })
  expect(asked).toBe(1)
})

test('waiting for the next try ends at once with Stop', async () => {
  const stop = new AbortController()
  const failing = (): Promise<Attempt> =>
    Promise.resolve({ type: 'failure', failure: failureOf(api(503, 'gone')), emitted: false })
  const result = await askPatiently(
    failing,
    { ...retryRules, random: () => 1, baseMs: 60_000, capMs: 60_000 },
    false,
    stop.signal,
    new Breaker(),
    { ...quiet, onWait: () => stop.abort() }
  )
  expect(result).toEqual({ type: 'aborted' })
})
