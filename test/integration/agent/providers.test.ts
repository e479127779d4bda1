import { expect, test } from 'vitest'
import { createModelDoctor } from '../../../src-main/agent/doctor'
import { createModelSource, httpTimeouts } from '../../../src-main/agent/providers'
import { readAnswer } from '../../../src-main/agent/stream'
import { fail, ok } from '../../../src-main/base/result'
import type { ModelConfig } from '../../../src-preload/contract'
import {
  bytes,
  calls,
  delta,
  event,
  hangsAfter,
  modelServer,
  says,
  status,
  type ModelServer,
  type Reply
} from '../../support/model-server'

const secrets = (value: string | null) => ({
  resolve: () => Promise.resolve(value === null ? fail('secret_missing', 'There is no such key.') : ok(value))
})
const source = (
  config: Partial<ModelConfig> | undefined,
  key: string | null = 'sk-test',
  timeouts = httpTimeouts
) =>
  createModelSource({
    modelConfig: () =>
      config && { provider: 'openai-compatible', model: 'm', contextWindow: 8_000, ...config },
    secrets: secrets(key),
    timeouts
  })
const options = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }] }
const silent = { text: () => undefined, working: () => undefined }
const never = () => new AbortController().signal

async function ask(server: ModelServer, config: Partial<ModelConfig> = {}, timeouts = httpTimeouts) {
  const current = await source(
    { baseURL: server.baseURL, apiKey: 'env:KEY', ...config },
    'sk-test',
    timeouts
  ).current(null)
  if (!current.ok) throw new Error(current.error.message)
  return readAnswer(current.value.model, options, never(), silent)
}

test('the key goes into the header, and the usage comes back', async () => {
  const server = await modelServer(says('hi'))
  expect(await ask(server)).toMatchObject({
    type: 'answer',
    answer: { text: 'hi', end: 'stop', inputTokens: 100, outputTokens: 20 }
  })
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test')
})

test('Anthropic’s stream is read, its calls and its end too', async () => {
  const lines: unknown[] = [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 1 }
      }
    },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me look.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't1', name: 'list_lxcs', input: {} }
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"host":"strong"}' }
    },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 7 }
    },
    { type: 'message_stop' }
  ]
  const wire = lines.map((line) => `event: ${(line as { type: string }).type}\n${event(line)}`)
  const server = await modelServer(
    bytes(wire),
    bytes(wire.slice(0, 8)),
    bytes([event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })])
  )
  const anthropic = { provider: 'anthropic' as const }
  expect(await ask(server, anthropic)).toMatchObject({
    type: 'answer',
    answer: { text: 'Let me look.', end: 'stop', calls: [{ name: 'list_lxcs', args: '{"host":"strong"}' }] }
  })
  expect(await ask(server, anthropic)).toMatchObject({
    type: 'answer',
    answer: { text: 'Let me look.', end: 'cut', calls: [] }
  })
  expect(await ask(server, anthropic)).toMatchObject({
    type: 'failure',
    failure: { passing: true, error: { code: 'model_unavailable' } }
  })
  expect(server.requests[0]?.headers['x-api-key']).toBe('sk-test')
})

test.each<[string, Reply, string]>([
  ['headers', () => undefined, 'model_timeout'],
  ['the next chunk', hangsAfter(), 'model_timeout']
])('a service that lets wait for %s is given up', async (_, reply, code) => {
  const server = await modelServer(reply)
  expect(
    await ask(server, {}, { connect: 1_000, headers: 1_000, headersLocal: 1_000, betweenChunks: 1_000 })
  ).toMatchObject({ type: 'failure', failure: { error: { code } } })
})

test('no retries happen below the one place that retries', async () => {
  const server = await modelServer(status(503), status(503))
  await ask(server)
  expect(server.requests).toHaveLength(1)
})

test('B45: without a model, a key or a safe address (http to another network) there is a clear word instead of a request', async () => {
  expect(await source(undefined).current(null)).toMatchObject({
    ok: false,
    error: { code: 'model_not_configured' }
  })
  expect(await source({ apiKey: 'env:KEY' }, null).current(null)).toMatchObject({
    ok: false,
    error: { code: 'secret_missing' }
  })
  expect(
    await source({ baseURL: 'http://models.example.com/v1', apiKey: 'env:KEY' }).current(null)
  ).toMatchObject({ ok: false, error: { code: 'model_url_insecure' } })
  expect(
    await source({ baseURL: 'http://192.168.1.5:1234/v1', apiKey: 'env:KEY' }).current(null)
  ).toMatchObject({
    ok: true
  })
})

test.each(['two words', 'line\nbreak', 'schlüssel', ''])(
  'B45: the key %j is refused before it is sent',
  async (key) => {
    expect(
      await source({ baseURL: 'https://models.example.com/v1', apiKey: 'env:KEY' }, key).current(null)
    ).toMatchObject({ ok: false, error: { code: 'model_key_invalid' } })
  }
)

test('B45: a line break at the end of a key is no part of it', async () => {
  const server = await modelServer(says('hi'))
  const current = await source({ baseURL: `${server.baseURL}/`, apiKey: 'env:KEY' }, 'sk-test\n').current(
    null
  )
  if (!current.ok) throw new Error(current.error.message)
  expect(await readAnswer(current.value.model, options, never(), silent)).toMatchObject({ type: 'answer' })
})

test('the check says in words what works and what does not', async () => {
  const server = await modelServer(
    says('ready'),
    calls([{ name: 'read_state', args: { name: 'caddy' } }]),
    calls([{ name: 'read_state', args: { name: 'caddy' } }]),
    calls([{ name: 'read_all', rawArgs: '' }]),
    (response, { last }) => says(/amber-\d+/.exec(last)?.[0] ?? 'none')(response, { last } as never),
    hangsAfter(event(delta({ content: 'one, ' })))
  )
  const steps = await createModelDoctor(source({ baseURL: server.baseURL })).check(null, never())
  expect(steps.map((step) => [step.name, step.ok])).toEqual([
    ['text', true],
    ['tool', true],
    ['parallel_tools', false],
    ['tool_without_arguments', true],
    ['long_prompt', true],
    ['cancel', true]
  ])
  expect(steps.every((step) => step.message.length > 10)).toBe(true)
})

test('the check finds out that a server cuts long prompts without a word, and says what to do', async () => {
  const server = await modelServer(...Array.from({ length: 4 }, () => says('ready')), (response, request) => {
    // As Ollama and LM Studio do it: only the end of what was sent is read.
    expect(request.last.length).toBeGreaterThan(15_000)
    const read = request.last.slice(-8_000)
    return says(/amber-\d+/.exec(read)?.[0] ?? 'Line 1')(response, request)
  })
  const steps = await createModelDoctor(source({ baseURL: server.baseURL })).check(null, never())
  expect(steps.find(({ name }) => name === 'long_prompt')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/lost the first line.*context/) as string
  })
})

test('B45: the check warns of an address without encryption outside the own network', async () => {
  const aborted = AbortSignal.abort()
  const steps = await createModelDoctor(source({ baseURL: 'http://models.example.com/v1' })).check(
    null,
    aborted
  )
  expect(steps).toMatchObject([
    {
      name: 'address',
      ok: false,
      message: expect.stringContaining('models.example.com unencrypted') as string
    }
  ])
  expect(await createModelDoctor(source({ baseURL: 'http://192.168.1.5/v1' })).check(null, aborted)).toEqual(
    []
  )
})
