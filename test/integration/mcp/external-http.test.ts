import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { serveHttp } from '../../../src-main/mcp/http'
import { externalServers, value } from '../../support/external-servers'
import { tempFolder } from '../../support/temp'
import { echo, endless, gatewayOf } from './example-tools'

const everythingJs = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'
)

/** A free port of this machine. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** The published example server over streamable HTTP; resolves once it listens. */
async function everythingOverHttp(port: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [everythingJs, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = () => (child.kill('SIGKILL'), ended)
  onTestFinished(stop)
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => /listening/i.test(chunk.toString()) && resolve())
  })
  return stop
}

describe('an external server over streamable HTTP', () => {
  it('is connected to only once its address is confirmed; its tools work as those of a program', async () => {
    const port = await freePort()
    await everythingOverHttp(port)
    const { servers, connect, allow, call, view } = externalServers()
    await connect('everything', { url: `http://127.0.0.1:${port}/mcp` })
    expect(view('everything').launch).toEqual({
      kind: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      token: null
    })
    allow('everything', 'echo', 'get-sum')
    expect((await call('everything__echo', { message: 'hi' })).text).toBe('Echo: hi')
    expect((await call('everything__get-sum', { a: 2, b: 3 })).text).toContain('5')
    value(servers.remove('everything'))
    expect(servers.tools()).toEqual([])
  })

  it('F46: one that goes away is connected to again when it is back', async () => {
    const port = await freePort()
    const stop = await everythingOverHttp(port)
    const { connect, allow, call, reaches } = externalServers({ attempts: 1000 })
    await connect('everything', { url: `http://127.0.0.1:${port}/mcp` })
    allow('everything', 'echo')
    await stop()
    expect(await call('everything__echo', { message: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('mcp_server_failed') as string
    })
    await everythingOverHttp(port)
    await reaches('everything', 'connected')
    expect((await call('everything__echo', { message: 'back' })).text).toBe('Echo: back')
  })

  it('gets the token that the configuration names, and is told when a call is stopped', async () => {
    const home = tempFolder()
    let aborted = false
    const gateway = gatewayOf(
      echo(),
      endless(60_000, () => (aborted = true))
    )
    const http = value(await serveHttp({ gateway, home, port: 0, log: silentLogger }))
    onTestFinished(() => http.close())
    const { connect, allow, call, secrets } = externalServers()
    secrets.set('env:TOKEN', readFileSync(http.tokenFile, 'utf8').trim())
    await connect('other', { url: http.url, token: 'env:TOKEN' })
    allow('other')
    expect(await call('other__echo', { word: 'hi' })).toMatchObject({
      text: 'hi',
      structured: { words: ['hi'] },
      taint: 'mcp'
    })
    const stop = new AbortController()
    const call1 = call('other__endless', {}, stop.signal)
    // The call has arrived once another one that was sent later is answered.
    await call('other__echo', { word: 'x' })
    stop.abort()
    expect((await call1).isError).toBe(true)
    await vi.waitFor(() => expect(aborted).toBe(true))
  })

  it('without the right token, with endless answers, or with a redirect elsewhere, it is not connected', async () => {
    const home = tempFolder()
    const http = value(await serveHttp({ gateway: gatewayOf(echo()), home, port: 0, log: silentLogger }))
    onTestFinished(() => http.close())
    let asked = 0
    const elsewhere = createServer((_request, response) => void (asked++, response.end()))
    const odd = createServer((request, response) => {
      if (request.url === '/redirect')
        return response
          .writeHead(307, { location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/` })
          .end()
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      return more()
    })
    for (const server of [elsewhere, odd]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void (server.closeAllConnections(), server.close()))
    }
    const at = (path: string) => `http://127.0.0.1:${(odd.address() as AddressInfo).port}${path}`
    const { servers, reaches, view } = externalServers({ attempts: 1 })
    for (const [name, url, why] of [
      ['stranger', http.url, /token/],
      ['endless', at('/endless'), /more than \d+ bytes/],
      ['moved', at('/redirect'), /redirect/i]
    ] as const) {
      value(servers.consent(name, value(servers.add(name, { url, token: 'env:WRONG' })).hash))
      await reaches(name, 'failed')
      expect(view(name).error?.message).toMatch(why)
      expect(view(name).error?.message).not.toContain('value of env:WRONG')
    }
    expect(asked).toBe(0)
  })
})
