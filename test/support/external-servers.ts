import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { McpServerConfig, McpServerView, NomosEvent } from '../../src-preload/contract'
import { silentLogger } from '../../src-main/base/log'
import { ok, type Result } from '../../src-main/base/result'
import { openConfig } from '../../src-main/config/config'
import { ExternalServers } from '../../src-main/mcp/external/servers'
import type { Timing } from '../../src-main/mcp/external/timing'
import { Gateway } from '../../src-main/mcp/gateway'
import { createToolPort } from '../../src-main/mcp/tool-port'
import type { Secrets } from '../../src-main/secrets/port'
import { contextOf } from '../integration/mcp/example-tools'
import { testStore } from './store'
import { tempFolder } from './temp'

const root = join(import.meta.dirname, '../..')

/** The published example server. */
export const everything = (...args: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), ...args],
  env: {}
})

/** A server that does not behave; `folder` says how, and gets what it did. */
export const oddServer = (folder: string, env: Record<string, string> = {}): McpServerConfig => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'mcp/odd-server.mjs'), folder, 'an argument; $HOME'],
  env
})

export const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** External servers on a home of their own, and the agent's way to their tools. */
export function externalServers(timing: Partial<Timing> = {}, home = tempFolder()) {
  const store = testStore(home)
  const config = openConfig(join(home, 'nomos.config.json'))
  /** What references to secrets mean; any other has a value too. */
  const secrets = new Map<string, string>()
  const resolve = (ref: string) => Promise.resolve(ok(secrets.get(ref) ?? `value of ${ref}`))
  const servers = new ExternalServers({
    ...{ store, config, home, version: '1.2.3', log: silentLogger },
    secrets: { resolve } as Secrets,
    env: { ...process.env, NOMOS_PRIVATE: 'not for servers' },
    timing: { firstPauseMs: 20, longestPauseMs: 100, settleMs: 20, graceMs: 300, ...timing }
  })
  const gateway = new Gateway({ tools: () => servers.tools(), version: '1.2.3', log: silentLogger })
  const port = createToolPort(gateway, '1.2.3')
  const events: NomosEvent[] = []
  store.bus.subscribe(({ event }) => events.push(event))
  onTestFinished(async () => {
    await port.close()
    await servers.close()
  })
  servers.start()

  const view = (name: string): McpServerView => {
    const found = servers.list().find((server) => server.name === name)
    if (!found) throw new Error(`no server ${name}`)
    return found
  }
  /** Adds, confirms and waits for the tools. */
  const connect = async (name: string, server: McpServerConfig) => {
    value(servers.consent(name, value(servers.add(name, server)).hash))
    await reaches(name, 'connected')
  }
  const reaches = (name: string, state: McpServerView['state']) =>
    vi.waitFor(() => expect(view(name)).toMatchObject({ state }), { timeout: 20_000 })
  const allow = (name: string, ...tools: string[]) => {
    for (const tool of view(name).tools)
      if (tools.length === 0 || tools.includes(tool.name)) servers.allowTool(name, tool.name, tool.hash, true)
  }
  const call = (tool: string, args: Record<string, unknown> = {}, signal = new AbortController().signal) =>
    port.call(tool, args, contextOf({ signal }))
  return { servers, gateway, port, store, config, home, events, secrets, view, connect, reaches, allow, call }
}

/** The process ids of each start of the odd server. */
export const startsOf = (folder: string): number[][] =>
  readFileSync(join(folder, 'started'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that has ended and was not waited for is not alive (proc(5), State Z).
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
