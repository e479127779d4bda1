import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const body = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z
        .array(
          z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
        )
        .optional(),
      tool_call_id: z.string().optional()
    })
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional()
})

/** A request as it came over the wire. */
interface ModelRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: z.infer<typeof body>
  /** The text of the last message. */
  readonly last: string
}

/** Writes one answer, byte by byte if it likes. */
export type Reply = (response: ServerResponse, request: ModelRequest) => void | Promise<void>

export interface ModelServer {
  readonly baseURL: string
  readonly requests: readonly ModelRequest[]
  /** Adds replies; each is used for one request, in order. */
  script(...replies: Reply[]): void
  /** How many connections were closed by the client before the reply was over. */
  readonly abandoned: () => number
}

/** An HTTP server on loopback that answers as it was told, with real streams. A request nobody scripted gets a 400. */
export async function modelServer(...replies: Reply[]): Promise<ModelServer> {
  const queue = [...replies]
  const requests: ModelRequest[] = []
  let abandoned = 0
  const server = createServer((incoming, response) => {
    if (incoming.method === 'GET') return void response.writeHead(404).end()
    response.on('close', () => {
      if (!response.writableEnded) abandoned++
    })
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array))
      const parsed = body.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      const request = {
        headers: incoming.headers,
        body: parsed,
        last: textOf(parsed.messages.at(-1)?.content)
      }
      requests.push(request)
      const reply =
        queue.shift() ?? status(400, { error: { message: 'nothing is scripted for this request' } })
      await reply(response, request)
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...more) => void queue.push(...more),
    abandoned: () => abandoned
  }
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(z.looseObject({ text: z.string().optional() })).safeParse(content)
  return parts.success ? parts.data.map((part) => part.text ?? '').join('\n') : ''
}

const streamHead = (response: ServerResponse, type = 'text/event-stream'): void => {
  response.writeHead(200, { 'content-type': type })
}
export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
export const delta = (value: Record<string, unknown>, finish: string | null = null): unknown => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta: value, finish_reason: finish }]
})
const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }

/** A text in three pieces. */
export const says =
  (text: string, finish = 'stop'): Reply =>
  (response) => {
    const third = Math.ceil(text.length / 3)
    const pieces = [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter(
      (piece) => piece !== ''
    )
    streamHead(response)
    for (const piece of pieces) response.write(event(delta({ content: piece })))
    response.end(event(delta({}, finish)) + event(usage) + 'data: [DONE]\n\n')
  }

/** A text, and what the service counts: as OpenRouter tells it, or nothing at all. */
export const saysCounted =
  (text: string, counts: Record<string, unknown> | null): Reply =>
  (response) => {
    streamHead(response)
    response.write(event(delta({ content: text })) + event(delta({}, 'stop')))
    response.end((counts ? event({ choices: [], usage: counts }) : '') + 'data: [DONE]\n\n')
  }

export interface WireCall {
  readonly name: string
  readonly args?: unknown
  /** As the bytes of the arguments are sent, when they are not to be JSON. */
  readonly rawArgs?: string
  readonly id?: string
}

/** Tool calls, their arguments in two pieces each. */
export const calls =
  (list: readonly WireCall[], finish = 'tool_calls', text = ''): Reply =>
  (response) => {
    streamHead(response)
    if (text !== '') response.write(event(delta({ content: text })))
    list.forEach((call, index) => {
      const args = call.rawArgs ?? JSON.stringify(call.args ?? {})
      const half = Math.ceil(args.length / 2)
      const id = call.id ?? `call_${index}`
      response.write(
        event(
          delta({
            tool_calls: [
              { index, id, type: 'function', function: { name: call.name, arguments: args.slice(0, half) } }
            ]
          })
        )
      )
      response.write(event(delta({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] })))
    })
    response.end(event(delta({}, finish)) + 'data: [DONE]\n\n')
  }

/** These bytes, one write each, then the end of the stream. */
export const bytes =
  (pieces: readonly (string | Uint8Array)[], type = 'text/event-stream'): Reply =>
  async (response) => {
    streamHead(response, type)
    for (const piece of pieces) {
      response.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }

/** Ends with a proper finish but without a word. */
export const empty = (finish = 'stop'): Reply =>
  bytes([event(delta({ role: 'assistant', content: '' })), event(delta({}, finish)), 'data: [DONE]\n\n'])

/** These pieces, then the socket is torn down. */
export const cutAfter =
  (...pieces: string[]): Reply =>
  async (response) => {
    streamHead(response)
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
    response.socket?.destroy()
  }

/** These pieces, then silence until the client goes. */
export const hangsAfter =
  (...pieces: string[]): Reply =>
  (response) => {
    streamHead(response)
    for (const piece of pieces) response.write(piece)
    response.flushHeaders()
  }

export const status =
  (
    code: number,
    answer: unknown = { error: { message: `scripted ${code}` } },
    headers: Record<string, string> = {}
  ): Reply =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
