import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { messageOf } from '../../base/result'
import { loopback, type LoopbackServer } from '../loopback'
import { completion, streamed } from './reply'
import { answerTo } from './scripts'
import { Talk } from './talk'
import { chatRequest, labModel } from './wire'

const maxBody = 16 * 1024 * 1024

/** An OpenAI-compatible service on loopback whose model plays scripts. */
export function startModel(pace: number): Promise<LoopbackServer> {
  return loopback(
    createServer((request, response) => {
      handle(request, response, pace).catch((error: unknown) => refuse(response, 500, messageOf(error)))
    })
  )
}

async function handle(request: IncomingMessage, response: ServerResponse, pace: number): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://lab.invalid').pathname.replace(/\/+$/, '')
  if (request.method === 'GET' && path === '/v1/models') {
    return json(response, 200, {
      object: 'list',
      data: [{ id: labModel, object: 'model', owned_by: 'nomos-lab' }]
    })
  }
  if (request.method !== 'POST' || path !== '/v1/chat/completions')
    return refuse(response, 404, `no such path: ${path}`)
  const parsed = chatRequest.safeParse(jsonIn(await bodyOf(request)))
  if (!parsed.success) return refuse(response, 400, 'the body is no chat request')
  const answer = answerTo(new Talk(parsed.data))
  if (parsed.data.stream === true) return streamed(response, answer, parsed.data, pace)
  json(response, 200, completion(answer, parsed.data))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > maxBody) throw new Error('the request is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.destroy()
  else json(response, status, { error: { message, type: 'invalid_request_error', code: status } })
}
