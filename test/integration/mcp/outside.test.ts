import { chmodSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { contextKey, Gateway } from '../../../src-main/mcp/gateway'
import { serveHttp } from '../../../src-main/mcp/http'
import { serveStdio } from '../../../src-main/mcp/stdio'
import type { ToolContext } from '../../../src-main/tools/tool'
import { tempFolder } from '../../support/temp'
import { contextOf, echo, exampleTool, gatewayOf } from './example-tools'

async function served(gateway: Gateway, home = tempFolder()) {
  const http = await serveHttp({ gateway, home, port: 0, log: silentLogger })
  if (!http.ok) throw new Error(http.error.message)
  onTestFinished(() => http.value.close())
  const token = readFileSync(http.value.tokenFile, 'utf8').trim()
  return { ...http.value, token, home, port: Number(new URL(http.value.url).port) }
}

async function clientOf(url: string, token: string, name = 'some-editor') {
  const client = new Client({ name, version: '0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } }
    })
  )
  onTestFinished(() => client.close())
  return client
}

interface Raw {
  readonly port: number
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly path?: string
  readonly body?: string
}

/** A request with exactly these headers. */
const raw = ({ port, headers = {}, method = 'POST', path = '/mcp', body = '{}' }: Raw) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString()
        })
      )
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? body : undefined)
  })

describe('MCP over stdio', () => {
  it('serves a client from outside until it hangs up', async () => {
    const calls: ToolContext[] = []
    const [input, output] = [new PassThrough(), new PassThrough()]
    const ended = serveStdio(gatewayOf(echo(calls)), input, output)
    const client = new Client({ name: 'editor\u0000 <b>', version: '0' })
    await client.connect(new StdioServerTransport(output, input))
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['echo'])
    const result = await client.callTool({
      name: 'echo',
      arguments: { word: 'a' },
      _meta: { [contextKey]: { ...contextOf(), signal: undefined } }
    })
    expect(result).toMatchObject({ structuredContent: { words: ['a'] } })
    expect(result._meta).toBeUndefined()
    // What it says of a session is not believed.
    expect(calls[0]).toMatchObject({
      sessionId: null,
      messageId: null,
      origin: 'mcp',
      client: 'editor <b>',
      tainted: true
    })
    input.end()
    await ended
  })

  it('survives what is not JSON and ends at a message of 10 MB', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const ended = serveStdio(gatewayOf(echo()), input, output)
    input.write('hello\n{"jsonrpc":"1.0"}\n')
    const client = new Client({ name: 'editor', version: '0' })
    await client.connect(new StdioServerTransport(output, input))
    expect((await client.listTools()).tools).toHaveLength(1)
    input.write(`{"jsonrpc":"2.0","x":"${'y'.repeat(10 * 1024 * 1024)}`)
    await ended
  })
})

describe('MCP over HTTP', () => {
  it('serves a client that has the token', async () => {
    const calls: ToolContext[] = []
    const { url, token } = await served(gatewayOf(echo(calls)))
    const client = await clientOf(url, token)
    const { tools } = await client.listTools()
    expect(tools[0]).toMatchObject({ name: 'echo', annotations: { readOnlyHint: true } })
    expect(await client.callTool({ name: 'echo', arguments: { word: 'hi' } })).toMatchObject({
      structuredContent: { words: ['hi'] }
    })
    expect(calls[0]).toMatchObject({ origin: 'mcp', client: 'some-editor', sessionId: null })
  })

  it('limits how many calls are made with the token: a clear error, also over a new connection and under another name', async () => {
    const calls: ToolContext[] = []
    let now = 0
    const gateway = new Gateway({
      ...{ tools: () => [echo(calls)], version: '1', log: silentLogger },
      ...{ rate: { calls: 3, perMs: 60_000 }, now: () => now }
    })
    const { url, token } = await served(gateway)
    const ask = async (client: Client) => client.callTool({ name: 'echo', arguments: { word: 'a' } })
    const first = await clientOf(url, token)
    for (let n = 0; n < 3; n++) expect((await ask(first)).isError).toBeUndefined()
    now = 12_000
    for (const client of [first, await clientOf(url, token), await clientOf(url, token, 'another')])
      expect(await ask(client)).toMatchObject({
        isError: true,
        content: [
          {
            text: expect.stringMatching(/rate_limited.*3 calls.*token within 60 s[\s\S]*Wait 48 s/) as string
          }
        ]
      })
    expect(calls).toHaveLength(3)
    now = 61_000
    expect((await ask(first)).isError).toBeUndefined()
  })

  it('lets no secret out that a tool has let through, in text or data', async () => {
    const leaky = exampleTool('leaky', {
      run: async () => ({
        text: '{"password":"x7canary"} postgres://a:x7canary@db',
        structured: { env: [{ name: 'API_KEY', value: 'x7canary' }] }
      })
    })
    const { url, token } = await served(gatewayOf(leaky))
    const result = await (await clientOf(url, token)).callTool({ name: 'leaky', arguments: {} })
    expect(result).toMatchObject({ structuredContent: { env: [{ name: 'API_KEY', value: '[removed]' }] } })
    expect(JSON.stringify(result)).not.toContain('x7canary')
  })

  it('keeps its token to its owner, and makes another when others could read it', async () => {
    const home = tempFolder()
    const first = await served(gatewayOf(echo()), home)
    expect(first.token).toMatch(/^[\w-]{43}$/)
    if (process.platform !== 'win32') expect(statSync(first.tokenFile).mode & 0o777).toBe(0o600)
    expect((await served(gatewayOf(echo()), home)).token).toBe(first.token)
    chmodSync(first.tokenFile, 0o644)
    expect((await served(gatewayOf(echo()), home)).token).not.toBe(first.token)
  })

  it('B35: another host name, a web page and a missing token get nothing', async () => {
    const { port, token } = await served(gatewayOf(echo()))
    const good = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    }
    const without = (name: keyof typeof good) =>
      Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
    const status = async (headers: Record<string, string>, more: Partial<Raw> = {}) =>
      (await raw({ port, headers, ...more })).status
    expect(await status({ ...good, host: 'evil.com' })).toBe(403)
    expect(await status({ ...good, host: `evil.com:${port}` })).toBe(403)
    expect(await status({ ...good, host: '127.0.0.1' })).toBe(403)
    expect(await status({ ...good, origin: 'https://evil' })).toBe(403)
    expect(await status({ ...good, origin: 'null' })).toBe(403)
    expect(await status(without('authorization'))).toBe(401)
    expect(await status({ ...good, authorization: `Bearer ${token}x` })).toBe(401)
    expect(await status({ ...good, authorization: `Basic ${token}` })).toBe(401)
    expect(await status(good, { path: '/other' })).toBe(404)
    expect(await status({ ...good, 'mcp-session-id': 'guessed' })).toBe(404)
    const preflight = await raw({ port, method: 'OPTIONS', headers: { ...good, origin: 'https://evil' } })
    expect(preflight.status).toBe(403)
    expect(Object.keys(preflight.headers).some((name) => name.startsWith('access-control'))).toBe(false)
    // From its own address and with the token it is served: refused above is what is meant to be refused.
    const hello = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '0' } }
    })
    expect(await status({ ...good, origin: `http://127.0.0.1:${port}` }, { body: hello })).toBe(200)
  })

  it('refuses bodies over 1 MiB and what is not JSON', async () => {
    const { port, token } = await served(gatewayOf(echo()))
    const headers = {
      host: `localhost:${port}`,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    }
    expect((await raw({ port, headers, body: '{oops' })).status).toBe(400)
    expect((await raw({ port, headers: { ...headers, 'content-type': 'text/plain' } })).status).toBe(415)
    const tooLarge = await raw({
      port,
      headers: { ...headers, 'content-length': String(2 * 1024 * 1024) },
      body: ''
    }).catch(() => ({ status: 413 }))
    expect(tooLarge.status).toBe(413)
    expect(
      (await raw({ port, headers, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' })).status
    ).toBe(400)
  })

  it('tells that a port is taken', async () => {
    const { port } = await served(gatewayOf(echo()))
    const again = await serveHttp({ gateway: gatewayOf(), home: tempFolder(), port, log: silentLogger })
    expect(again).toMatchObject({ ok: false, error: { code: 'port_in_use' } })
  })
})
