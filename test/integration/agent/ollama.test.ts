import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createModelSource } from '../../../src-main/agent/providers'
import { readAnswer } from '../../../src-main/agent/stream'
import { fail } from '../../../src-main/base/result'

const asked = z.looseObject({
  options: z.looseObject({ num_ctx: z.number() }),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() }))
})

/** An Ollama server: its greeting, what it says of its models, and these bytes as the answer of `/api/chat`. */
async function ollama(pieces: readonly (string | Uint8Array)[], contextLength = 32_768) {
  const requests: { readonly path: string; readonly body: unknown }[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const path = request.url ?? ''
      requests.push({ path, body: body === '' ? null : JSON.parse(body) })
      if (path === '/') return response.end('Ollama is running')
      if (path === '/api/show')
        return response.end(JSON.stringify({ model_info: { 'qwen3.context_length': contextLength } }))
      if (path !== '/api/chat') return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
      return response.end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

async function ask(baseURL: string, contextWindow = 16_000) {
  const source = createModelSource({
    modelConfig: () => ({ provider: 'openai-compatible', baseURL, model: 'qwen3', contextWindow }),
    secrets: { resolve: () => Promise.resolve(fail('secret_missing', 'none')) }
  })
  onTestFinished(() => source.close())
  const current = await source.current(null)
  if (!current.ok) throw new Error(current.error.message)
  const attempt = await readAnswer(
    current.value.model,
    {
      prompt: [
        { role: 'system', content: 'You are Nomos.' },
        { role: 'user', content: [{ type: 'text', text: 'hello' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'list_lxcs', input: { host: 'a' } }]
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'list_lxcs',
              output: { type: 'text', value: 'none' }
            }
          ]
        }
      ]
    },
    new AbortController().signal,
    { text: () => undefined, working: () => undefined }
  )
  return { attempt, contextWindow: current.value.contextWindow }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const end = line({
  message: { content: '' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 40,
  eval_count: 7
})

test('Ollama is asked in its own words, with the context window that is set, so that it cuts nothing in silence', async () => {
  const wire = Buffer.from(
    line({ message: { content: 'für ' } }) + line({ message: { content: 'Köln' } }) + end
  )
  const server = await ollama([...wire].map((byte) => Uint8Array.of(byte)))
  const { attempt, contextWindow } = await ask(server.baseURL)
  expect(attempt).toMatchObject({
    type: 'answer',
    answer: { text: 'für Köln', end: 'stop', inputTokens: 40, outputTokens: 7 }
  })
  expect(contextWindow).toBe(16_000)
  expect(server.requests.map(({ path }) => path)).toEqual(['/', '/api/show', '/api/chat'])
  const chat = asked.parse(server.requests[2]?.body)
  expect(chat.options.num_ctx).toBe(16_000)
  expect(chat.messages).toMatchObject([
    { role: 'system', content: 'You are Nomos.' },
    { role: 'user', content: 'hello' },
    { role: 'assistant', tool_calls: [{ function: { name: 'list_lxcs', arguments: { host: 'a' } } }] },
    { role: 'tool', content: 'none', tool_name: 'list_lxcs' }
  ])
})

test('a model that reads less than the window that is set is not given more', async () => {
  const server = await ollama([line({ message: { content: 'hi' } }), end], 8_192)
  expect(await ask(server.baseURL)).toMatchObject({ contextWindow: 8_192 })
  expect(asked.parse(server.requests[2]?.body).options.num_ctx).toBe(8_192)
})

test('its calls come whole and without index or id, and are told apart', async () => {
  const call = (name: string, args: unknown) => ({ function: { name, arguments: args } })
  const server = await ollama([
    line({ message: { content: '', tool_calls: [call('list_lxcs', { host: 'a' }), call('list_vms', {})] } }),
    line({ message: { content: '', tool_calls: [call('list_lxcs', { host: 'b' })] } }),
    end
  ])
  expect((await ask(server.baseURL)).attempt).toMatchObject({
    answer: {
      calls: [
        { name: 'list_lxcs', args: '{"host":"a"}' },
        { name: 'list_vms', args: '{}' },
        { name: 'list_lxcs', args: '{"host":"b"}' }
      ]
    }
  })
})

test.each([
  [
    'is cut',
    [line({ message: { content: 'Let me' } }), '{"message":{"con'],
    { type: 'answer', answer: { end: 'cut', calls: [] } }
  ],
  [
    'tells an error',
    [line({ error: 'model is loading' })],
    {
      type: 'failure',
      failure: { error: { message: expect.stringContaining('model is loading') as string } }
    }
  ],
  [
    'met its limit',
    [line({ message: { content: 'long' }, done: true, done_reason: 'length' })],
    { type: 'answer', answer: { end: 'length' } }
  ],
  ['is no JSON', ['<html>oops</html>\n'], { type: 'failure' }]
])('an answer that %s is told as such', async (_, pieces, expected) => {
  const server = await ollama(pieces)
  expect((await ask(server.baseURL)).attempt).toMatchObject(expected)
})
