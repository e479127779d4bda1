import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { openConfig } from '../../../src-main/config/config'
import { serveHttpAsConfigured } from '../../../src-main/mcp/http-service'
import { Gateway } from '../../../src-main/mcp/gateway'
import { connectToApp, mostClients, serveSocket, socketPath } from '../../../src-main/mcp/socket'
import type { ToolContext } from '../../../src-main/tools/tool'
import { tempFolder } from '../../support/temp'
import { echo, gatewayOf } from './example-tools'

describe('the app that has a home open', () => {
  it('serves the clients that nomos mcp hands on to it', async () => {
    const home = tempFolder()
    const calls: ToolContext[] = []
    expect(await connectToApp(home)).toBeNull()
    const stop = serveSocket(gatewayOf(echo(calls)), home, silentLogger)
    const socket = await vi.waitFor(async () => {
      const found = await connectToApp(home)
      if (!found) throw new Error('not yet')
      return found
    })
    const client = new Client({ name: 'editor', version: '0' })
    await client.connect(new StdioServerTransport(socket, socket))
    expect(await client.callTool({ name: 'echo', arguments: { word: 'x' } })).toMatchObject({
      structuredContent: { words: ['x'] }
    })
    expect(calls[0]).toMatchObject({ origin: 'mcp', sessionId: null, client: 'editor' })
    if (process.platform !== 'win32') expect(statSync(socketPath(home)).mode & 0o077).toBe(0)
    await stop()
    expect(await connectToApp(home)).toBeNull()
  })

  it('counts calls by the place of a connection, whatever name it gives, and bounds the connections', async () => {
    const home = tempFolder()
    const gateway = new Gateway({
      ...{ tools: () => [echo()], version: '1', log: silentLogger },
      ...{ rate: { calls: 2, perMs: 60_000 }, now: () => 0 }
    })
    const stop = serveSocket(gateway, home, silentLogger)
    onTestFinished(stop)
    const connected = () =>
      vi.waitFor(async () => {
        const found = await connectToApp(home)
        if (!found) throw new Error('not yet')
        return found
      })
    /** What calls over a socket bring: whether each was refused. */
    const ask = async (socket: Socket, name: string, times = 1) => {
      const client = new Client({ name, version: '0' })
      await client.connect(new StdioServerTransport(socket, socket))
      const refused: boolean[] = []
      for (let n = 0; n < times; n++)
        refused.push((await client.callTool({ name: 'echo', arguments: { word: 'x' } })).isError === true)
      return refused
    }
    const first = await connected()
    expect(await ask(first, 'editor', 3)).toEqual([false, false, true])
    expect(await ask(await connected(), 'editor')).toEqual([false])
    first.destroy()
    await vi.waitFor(async () => {
      const again = await connected()
      const refused = await ask(again, 'somebody-else')
      again.destroy()
      expect(refused).toEqual([true])
    })
    const held: Socket[] = []
    for (let n = 1; n < mostClients; n++) held.push(await connected())
    const turnedAway = await connected()
    const [chunk] = (await once(turnedAway, 'data')) as [Buffer]
    expect(JSON.parse(chunk.toString())).toMatchObject({
      error: { message: expect.stringContaining(`${mostClients} clients`) as string }
    })
    for (const each of held) each.destroy()
  })

  it.skipIf(process.platform === 'win32')(
    'uses no folder in the temporary folder that others can write to',
    async () => {
      const home = join(tempFolder(), 'deep'.repeat(40))
      const folder = dirname(socketPath(home))
      expect(folder.startsWith(tmpdir())).toBe(true)
      mkdirSync(folder, { mode: 0o700 })
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      chmodSync(folder, 0o777)
      const stop = serveSocket(gatewayOf(echo()), home, silentLogger)
      expect(await connectToApp(home)).toBeNull()
      await stop()
    }
  )
})

describe('MCP over HTTP as configured', () => {
  it('is on, on another port, and off as the configuration says', async () => {
    const home = tempFolder()
    const config = openConfig(join(home, 'nomos.config.json'))
    const service = serveHttpAsConfigured({ gateway: gatewayOf(echo()), home, config, log: silentLogger })
    expect(service.url()).toBeNull()
    config.update({ gateway: { http: { enabled: true, port: 0 } } })
    const url = await vi.waitFor(() => {
      const at = service.url()
      if (at === null) throw new Error('not yet')
      return at
    })
    expect((await fetch(url, { method: 'POST' })).status).toBe(401)
    config.update({ gateway: { http: { enabled: false, port: 0 } } })
    await vi.waitFor(() => expect(service.url()).toBeNull())
    await expect(fetch(url)).rejects.toThrow()
    config.update({ gateway: { http: { enabled: true, port: Number(new URL(url).port) } } })
    await vi.waitFor(() => expect(service.url()).toBe(url))
    await service.close()
    expect(service.url()).toBeNull()
    await expect(fetch(url)).rejects.toThrow()
  })
})
