import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { agentScene, type AgentScene } from '../../support/agent'
import {
  bytes,
  calls,
  delta,
  event,
  hangsAfter,
  modelServer,
  type Reply,
  says,
  status
} from '../../support/model-server'
import { toolPort } from '../../support/tool-port'

const listing = { list_lxcs: { run: () => ({ text: '3 containers' }) } }

/** The operator says something, and all that follows from it has ended. */
async function ask(scene: AgentScene): Promise<AgentScene> {
  scene.agent.send(scene.sessionId, 'go')
  await scene.rests()
  return scene
}

const callDelta = (index: number, id: string | undefined, name: string | undefined, args: string) =>
  event(
    delta({
      tool_calls: [
        {
          index,
          ...(id !== undefined && { id }),
          function: { ...(name !== undefined && { name }), arguments: args }
        }
      ]
    })
  )
const finished = event(delta({}, 'tool_calls'))

const json = (value: unknown): string => JSON.stringify(value)
const half = (text: string): [string, string] => {
  const at = text.indexOf(',')
  return [text.slice(0, at + 1), text.slice(at + 1)]
}

test.each([
  ['lines that end with a carriage return alone', (data: string) => `data: ${data}\r\r`],
  ['no space after the colon', (data: string) => `data:${data}\n\n`],
  ['an event over several data lines', (data: string) => `data: ${half(data).join('\ndata: ')}\n\n`],
  [
    'fields and events nobody knows',
    (data: string) => `id: 7\nretry: 1\nodd: x\nevent: odd\ndata: ${data}\n\n`
  ]
])('a stream with %s is read right', async (_, wire) => {
  const server = await modelServer(
    bytes(['\ufeff', wire(json(delta({ content: 'All ' }))), wire(json(delta({ content: 'well.' }, 'stop')))])
  )
  const scene = await ask(agentScene(server))
  expect(scene.answer()).toMatchObject({ state: 'done', parts: [{ type: 'text', text: 'All well.' }] })
})

test('B44: an answer in chunks of one byte, and one of no content, is read right', async () => {
  const wire = Buffer.from(
    event(delta({ content: '' })) + event(delta({ content: 'für' })) + event(delta({}, 'stop'))
  )
  const server = await modelServer(bytes([...wire].map((byte) => Uint8Array.of(byte))))
  const scene = await ask(agentScene(server))
  expect(scene.answer().parts).toEqual([{ type: 'text', text: 'für' }])
})

const zipped =
  (body: Uint8Array): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end(body)
  }

test('B44: a gzipped stream is unpacked; one that only says so is told in words', async () => {
  const packed = gzipSync(event(delta({ content: 'Unpacked.' })) + event(delta({}, 'stop')))
  const good = await ask(agentScene(await modelServer(zipped(packed))))
  expect(good.textOf(good.answer())).toBe('Unpacked.')

  const broken = Array.from({ length: 5 }, () => zipped(Buffer.from('this is not gzip')))
  const bad = await ask(agentScene(await modelServer(...broken)))
  expect(bad.answer().state).toBe('error')
  expect(bad.noticeOf(bad.answer())).toMatch(/^model_/)
})

test.each([
  ['an event of more than 4 MiB', [event(delta({ content: 'x'.repeat(5 * 1024 * 1024) }))]],
  [
    'an answer of more than 32 MiB',
    Array.from({ length: 11 }, () => event(delta({ odd: 'x'.repeat(3 * 1024 * 1024) })))
  ]
])('%s ends with a word, and is not asked for again: it would be as long', async (_, pieces) => {
  const server = await modelServer(bytes(pieces))
  const scene = await ask(agentScene(server))
  expect(server.requests).toHaveLength(1)
  expect(scene.answer()).toMatchObject({
    state: 'error',
    parts: [
      {
        type: 'notice',
        error: { code: 'model_bad_answer', message: expect.stringMatching(/more than \d+ MiB/) as string }
      }
    ]
  })
})

test.each([408, 409, 429, 500, 502, 503, 504, 529])('status %i is asked again', async (code) => {
  const server = await modelServer(status(code), says('Now.'))
  const scene = await ask(agentScene(server))
  expect(scene.textOf(scene.answer())).toBe('Now.')
  expect(scene.waits).toEqual([500])
})

test.each([400, 401, 402, 403, 404, 413, 422])('status %i is told at once', async (code) => {
  const server = await modelServer(status(code), says('Never.'))
  const scene = await ask(agentScene(server))
  expect(server.requests).toHaveLength(1)
  expect(scene.answer().state).toBe('error')
})

test('a 429 that means that no credit is left is told at once', async () => {
  const server = await modelServer(
    status(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } })
  )
  const scene = await ask(agentScene(server))
  expect(scene.noticeOf(scene.answer())).toBe('model_no_credit')
  expect(server.requests).toHaveLength(1)
})

test('Retry-After as a date and in milliseconds is honoured', async () => {
  const inMs = await ask(
    agentScene(await modelServer(status(429, undefined, { 'retry-after-ms': '250' }), says('Now.')))
  )
  expect(inMs.waits).toEqual([250])
  const past = new Date(Date.now() - 60_000).toUTCString()
  const dated = await ask(
    agentScene(await modelServer(status(503, undefined, { 'retry-after': past }), says('Now.')))
  )
  expect(dated.waits).toEqual([0])
})

test('a pause of the service goes on in the same turn', async () => {
  const server = await modelServer(says('First.', 'pause_turn'), says('Second.'))
  const scene = await ask(agentScene(server))
  expect(scene.messages()).toHaveLength(2)
  expect(scene.textOf(scene.answer())).toBe('First.\n\nSecond.')
  expect(scene.answer().state).toBe('done')
})

test.each(['max_tokens', 'model_context_window_exceeded', 'error', 'something_new'])(
  'a call in an answer that ended with %s is not run',
  async (reason) => {
    const port = toolPort(listing)
    const server = await modelServer(
      calls([{ name: 'list_lxcs' }], reason, 'Let me look.'),
      calls([{ name: 'list_lxcs' }], reason, 'Let me look.')
    )
    const scene = await ask(agentScene(server, { port }))
    expect(port.calls).toEqual([])
    expect(scene.answer().state).toBe('error')
    expect(scene.noticeOf(scene.answer())).not.toBeNull()
  }
)

test('a stream that is cut after a call, without text, is asked for again and never becomes the call', async () => {
  const port = toolPort(listing)
  const server = await modelServer(bytes([callDelta(0, 'a', 'list_lxcs', '{}')]), says('Later.'))
  const scene = await ask(agentScene(server, { port }))
  expect(port.calls).toEqual([])
  expect(scene.textOf(scene.answer())).toBe('Later.')
})

test('calls that share an index are told apart by their ids, and a repeated name is one name', async () => {
  const port = toolPort(listing)
  const server = await modelServer(
    bytes([
      callDelta(0, 'a', 'list_lxcs', '{"host":"a"}'),
      callDelta(0, 'b', 'list_lxcs', '{"host":"b"}'),
      finished
    ]),
    bytes([callDelta(0, 'c', 'list_lxcs', '{"host"'), callDelta(0, 'c', 'list_lxcs', ':"c"}'), finished]),
    says('Done.')
  )
  const scene = await ask(agentScene(server, { port }))
  expect(port.calls.map(({ name, args }) => [name, args])).toEqual([
    ['list_lxcs', { host: 'a' }],
    ['list_lxcs', { host: 'b' }],
    ['list_lxcs', { host: 'c' }]
  ])
  expect(scene.answer().state).toBe('done')
})

test.each([
  ['pieces', ['list_', 'lxcs']],
  ['pieces of one letter', [...'list_lxcs']],
  ['ever longer pieces', ['list', 'list_lx', 'list_lxcs']],
  ['the same piece again and again', ['list_lxcs', 'list_lxcs', 'list_lxcs']]
])('a name that arrives in %s is one name, and its arguments are whole', async (_, names) => {
  const port = toolPort({ ...listing, list_vms: { run: () => ({ text: 'none' }) } })
  const named = names.map((name, at) => callDelta(0, at === 0 ? 'a' : undefined, name, ''))
  const server = await modelServer(
    bytes([
      ...named,
      callDelta(0, undefined, undefined, '{"host"'),
      callDelta(0, undefined, undefined, ':"a"}'),
      finished
    ]),
    bytes([...named, callDelta(1, 'b', 'list_', ''), callDelta(1, undefined, 'vms', ''), finished]),
    says('Done.')
  )
  const scene = await ask(agentScene(server, { port }))
  expect(port.calls.map(({ name, args }) => [name, args])).toEqual([
    ['list_lxcs', { host: 'a' }],
    ['list_lxcs', {}],
    ['list_vms', {}]
  ])
  expect(scene.answer().state).toBe('done')
})

test('a name for an index that is taken begins another call; arguments as an object come whole or in parts', async () => {
  const port = toolPort({ ...listing, list_vms: { run: () => ({ text: 'none' }) } })
  const given = (fn: Record<string, unknown>) => event(delta({ tool_calls: [{ index: 0, function: fn }] }))
  const server = await modelServer(
    bytes([
      given({ name: 'list_lxcs' }),
      given({ name: 'list_vms', arguments: '{"host":"b"}' }),
      given({ name: 'list_vms', arguments: { host: 'c' } }),
      given({ arguments: { all: true } }),
      finished
    ]),
    says('Done.')
  )
  await ask(agentScene(server, { port }))
  expect(port.calls.map(({ name, args }) => [name, args])).toEqual([
    ['list_lxcs', {}],
    ['list_vms', { host: 'b' }],
    ['list_vms', { host: 'c', all: true }]
  ])
})

test('keys like __proto__ in arguments change nothing and stay what they are', async () => {
  const port = toolPort(listing)
  const rawArgs = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"host":"strong"}'
  const server = await modelServer(calls([{ name: 'list_lxcs', rawArgs }]), says('Done.'))
  const scene = await ask(agentScene(server, { port }))
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
  expect(port.calls).toMatchObject([{ args: { host: 'strong' } }])
  expect(scene.answer().state).toBe('done')
})

test('what the model thought is not sent back to it', async () => {
  const server = await modelServer(
    bytes([
      event(delta({ reasoning_content: 'a secret thought' })),
      event(delta({ content: 'Said.' })),
      event(delta({}, 'stop'))
    ]),
    says('And more.')
  )
  const scene = await ask(agentScene(server))
  expect(scene.textOf(scene.answer())).toBe('Said.')
  await ask(scene)
  expect(json(server.requests[1]?.body)).not.toContain('a secret thought')
})

test('an answer that thinks without end is given up after its total time', async () => {
  const thinksOn: Reply = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    while (!response.destroyed) {
      response.write(event(delta({ reasoning_content: 'hm ' })))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const server = await modelServer(...Array.from({ length: 5 }, () => thinksOn))
  const scene = await ask(agentScene(server, { streamLimits: { progressMs: 10_000, totalMs: 60 } }))
  expect(scene.noticeOf(scene.answer())).toBe('model_timeout')
})

test('Stop pressed twice leaves one word, and the next message runs', async () => {
  const server = await modelServer(hangsAfter(event(delta({ content: 'Thinking' }))), says('Here.'))
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'go')
  await vi.waitFor(() => expect(scene.textOf(scene.answer())).toBe('Thinking'))
  scene.agent.stop(scene.sessionId)
  scene.agent.stop(scene.sessionId)
  await scene.rests()
  expect(scene.answer().parts.filter((part) => part.type === 'notice')).toHaveLength(1)
  await ask(scene)
  expect(scene.textOf(scene.answer())).toBe('Here.')
})
