import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Random } from './random'

const request = z.looseObject({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
      tool_call_id: z.string().optional()
    })
  )
})
type Message = z.infer<typeof request>['messages'][number]

export interface ScriptedAgent {
  readonly baseURL: string
  readonly asked: number
  /** Requests that a provider would have refused, in words. */
  readonly invalid: readonly string[]
  stop(): Promise<void>
}

interface Call {
  readonly name: string
  readonly args: unknown
}

/**
 * A model over HTTP that does what the operator's words say (`do ACTION TARGET PARAMS`, `plan STEPS`), takes the next
 * step when it hears of a result, and fails now and then as real ones do.
 */
export async function startScriptedAgent(random: Random, key: string): Promise<ScriptedAgent> {
  let asked = 0
  const invalid: string[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array))
      const { messages } = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      asked++
      if (incoming.headers.authorization !== `Bearer ${key}`) invalid.push('the key did not come')
      const wrong = faultIn(messages)
      if (wrong !== null) invalid.push(wrong)
      await answer(response, messages, random)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return asked
    },
    invalid,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

/** Each call is followed by its result, and no result stands without its call. */
function faultIn(messages: readonly Message[]): string | null {
  let open: string[] = []
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (id === undefined || !open.includes(id)) return `a result without its call (${id ?? 'no id'})`
      open = open.filter((other) => other !== id)
      continue
    }
    if (open.length > 0) return `calls without results: ${open.join(', ')}`
    open = calls?.map((call) => call.id) ?? []
  }
  return open.length > 0 ? `calls without results at the end: ${open.join(', ')}` : null
}

async function answer(response: ServerResponse, messages: readonly Message[], random: Random): Promise<void> {
  if (random.chance(0.03)) {
    response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' })
    return void response.end('{"error":{"message":"too many requests"}}')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const piece = async (delta: unknown, finish: string | null = null) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'soak' }
    response.write(
      `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    )
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 40)))
  }
  const last = messages.at(-1)
  const calls = last?.role === 'user' ? callsFor(textOf(last.content), random) : []
  await piece({ content: 'Let me ' })
  await piece({ content: calls.length > 0 ? 'do that.' : 'note that: done as far as I can see.' })
  if (random.chance(0.03)) return void response.destroy()
  for (const [index, { name, args }] of calls.entries())
    await piece({
      tool_calls: [
        { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
      ]
    })
  await piece({}, calls.length > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

function callsFor(text: string, random: Random): Call[] {
  const wishes = [...text.matchAll(/^do (\S+) (\S+) (\{.*\})$/gm)]
  if (wishes.length > 0)
    return wishes.map(([, action, target, params]) => ({
      name: 'request_execution',
      args: {
        action,
        target,
        params: JSON.parse(params ?? '{}') as unknown,
        why: 'The operator asked for it.'
      }
    }))
  const plan = /^plan (\[.*\])$/m.exec(text)?.[1]
  if (plan !== undefined)
    return [
      {
        name: 'propose_plan',
        args: { title: 'Soak', summary: 'Two steps.', steps: JSON.parse(plan) as unknown }
      }
    ]
  const begin =
    /plan ([0-9a-f-]{36})[^\n]* was approved/.exec(text) ?? /approved[^\n]*plan ([0-9a-f-]{36})/.exec(text)
  if (begin) return [{ name: 'request_execution', args: { plan_id: begin[1], step: 1 } }]
  const next = /Next in plan ([0-9a-f-]{36}): step (\d+)/.exec(text)
  if (next) return [{ name: 'request_execution', args: { plan_id: next[1], step: Number(next[2]) } }]
  const execution = /execution ([0-9a-f-]{36})/.exec(text)
  if (execution && random.chance(0.4))
    return [{ name: 'get_execution_status', args: { execution_id: execution[1] } }]
  return []
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(z.looseObject({ text: z.string().optional() })).safeParse(content)
  return parts.success ? parts.data.map((part) => part.text ?? '').join('\n') : ''
}
