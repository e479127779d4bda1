import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Logger } from '../base/log'
import { fail, messageOf, ok, type Result } from '../base/result'
import { httpWay, type Gateway } from './gateway'
import { carriesToken, gatewayToken } from './token'

/** Bytes of one request. */
const maxBody = 1024 * 1024
/** Clients connected at the same time; the one that was idle longest goes first. */
const maxSessions = 32

export interface HttpGatewayOptions {
  readonly gateway: Gateway
  /** Folder for `gateway.token`. */
  readonly home: string
  /** 0 for a port that the system chooses. */
  readonly port: number
  readonly log: Logger
}

export interface HttpGateway {
  /** Where clients connect: `http://127.0.0.1:PORT/mcp`. */
  readonly url: string
  readonly tokenFile: string
  close(): Promise<void>
}

/**
 * Serves MCP as streamable HTTP on loopback. A request must name this server as its host, come from no web page,
 * and carry the token; a page in a browser that guesses the port gets nothing (GHSA-w48q-cv73-mx4w).
 * Errors: `port_in_use`, `listen_failed`.
 */
export async function serveHttp({
  gateway,
  home,
  port,
  log
}: HttpGatewayOptions): Promise<Result<HttpGateway>> {
  const token = gatewayToken(home)
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let hosts: readonly string[] = []

  const server = createServer({ requestTimeout: 30_000, maxHeaderSize: 16_384 }, (request, response) => {
    const refusal = judge(request, hosts, token.value)
    if (refusal) return answer(response, refusal.status, refusal.message)
    serve(request, response).catch((error: unknown) => {
      log.log('warn', 'mcp', 'request failed', { error: messageOf(error) })
      if (!response.headersSent) answer(response, 500, 'Internal error')
      else response.end()
    })
    return undefined
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    if (typeof id === 'string' && !known) return answer(response, 404, 'Session not found')
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined }
    if ('status' in body) return answer(response, body.status, body.message)
    if (known && typeof id === 'string') {
      sessions.delete(id)
      sessions.set(id, known)
      return known.handleRequest(request, response, body.value)
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        sessions.set(session, transport)
        const [idle] = sessions
        if (sessions.size > maxSessions && idle) {
          sessions.delete(idle[0])
          void idle[1].close()
        }
      }
    })
    await gateway.connect(transport, 'outside', {
      way: httpWay,
      onClose: () => {
        if (transport.sessionId) sessions.delete(transport.sessionId)
      }
    })
    await transport.handleRequest(request, response, body.value)
    // It was no initialisation: the transport has refused it and is of no more use.
    if (transport.sessionId === undefined) await transport.close()
    return undefined
  }

  const listening = await listen(server, port)
  if (!listening.ok) return listening
  hosts = [`127.0.0.1:${listening.value}`, `localhost:${listening.value}`]
  return ok({
    url: `http://127.0.0.1:${listening.value}/mcp`,
    tokenFile: token.file,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
}

interface Refusal {
  readonly status: number
  readonly message: string
}

/** Why a request is refused before anything of it is read; null when it may come in. */
function judge(request: IncomingMessage, hosts: readonly string[], token: string): Refusal | null {
  const { host, origin, authorization } = request.headers
  if (host === undefined || !hosts.includes(host))
    return { status: 403, message: 'This host name is not served' }
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`))
    return { status: 403, message: 'Requests from web pages are not served' }
  if (!carriesToken(authorization, token))
    return { status: 401, message: 'The token of gateway.token is needed' }
  if (request.url !== '/mcp') return { status: 404, message: 'Not found' }
  return null
}

/** The body as JSON, or why it is refused. */
async function readBody(request: IncomingMessage): Promise<{ readonly value: unknown } | Refusal> {
  const tooLarge = { status: 413, message: 'A request may have 1 MiB' }
  if (Number(request.headers['content-length'] ?? 0) > maxBody) return tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) return tooLarge
    chunks.push(chunk)
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown }
  } catch {
    return { status: 400, message: 'The body is not JSON' }
  }
}

function answer(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // What is left of a refused request is not read.
    ...(status === 413 && { connection: 'close' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' })
  })
  response.end(body)
}

const listen = (server: Server, port: number): Promise<Result<number>> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'EADDRINUSE'
          ? fail(
              'port_in_use',
              `Port ${port} is taken by another program.`,
              'Choose another port, or 0 for any.'
            )
          : fail('listen_failed', `The gateway cannot listen on port ${port}: ${error.message}`)
      )
    )
    server.listen(port, '127.0.0.1', () => resolve(ok((server.address() as AddressInfo).port)))
  })
