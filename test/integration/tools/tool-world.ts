import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSessionsPort } from '../../../src-main/agent/agent'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { openConfig } from '../../../src-main/config/config'
import type { ToolPort } from '../../../src-main/agent/ports'
import type { Executions } from '../../../src-main/execution/port'
import { createFleet, type FleetService } from '../../../src-main/fleet/fleet'
import { createKnowledge } from '../../../src-main/knowledge/knowledge'
import { Simulation } from '../../../src-main/lab/jobs/simulation'
import { LabStore } from '../../../src-main/lab/jobs/store'
import { labKey } from '../../../src-main/lab/ssh/keys'
import { startSshServer } from '../../../src-main/lab/ssh/server'
import { siteAddress, startSite } from '../../../src-main/lab/web/site'
import { Gateway } from '../../../src-main/mcp/gateway'
import { createToolPort } from '../../../src-main/mcp/tool-port'
import { createSkills } from '../../../src-main/skills/skills'
import { createTools } from '../../../src-main/tools'
import type { ToolContext, ToolOutcome } from '../../../src-main/tools/tool'
import { createWeb } from '../../../src-main/web/web'
import { startSshClient, type TestSsh } from '../../support/ssh-client'

export interface ToolWorld {
  readonly client: TestSsh
  readonly fleet: FleetService
  readonly port: ToolPort
  /** Calls a tool as the agent does, over MCP. */
  call(name: string, args?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<ToolOutcome>
  stop(): Promise<void>
}

interface Parts {
  readonly client: TestSsh
  readonly fleet: FleetService
  readonly home: string
  readonly config: ReturnType<typeof openConfig>
}

/** Every tool, over the lab's hosts and the real services below. */
export async function toolWorld(executionsOf: (parts: Parts) => Executions): Promise<ToolWorld> {
  const home = mkdtempSync(join(tmpdir(), 'nomos-tools-'))
  const simulation = new Simulation(new LabStore(join(home, 'lab')), systemClock, 0.05)
  const clientKey = labKey(join(home, 'keys'), 'client')
  const servers = await Promise.all(
    Object.keys(simulation.world.nodes).map(async (name) => {
      const hostKey = labKey(join(home, 'keys'), `host-${name}`)
      const server = await startSshServer(simulation, name, hostKey, clientKey, () => undefined)
      return { name, hostKey, server }
    })
  )
  const hosts = servers.map(({ name, hostKey, server }) => ({
    name,
    address: '127.0.0.1',
    port: server.port,
    user: 'root',
    identity: { keyFile: clientKey.file },
    hostKey: hostKey.fingerprint,
    sudo: false
  }))
  const site = await startSite()
  const config = openConfig(join(home, 'nomos.config.json'))
  config.update({ hosts })
  const client = startSshClient(hosts)
  const { ssh, store } = client
  const fleet = createFleet({ ssh, store, config, clock: systemClock, log: silentLogger })
  const knowledge = createKnowledge({ store, folders: () => [], log: silentLogger })
  const tools = createTools({
    fleet,
    ssh,
    executions: executionsOf({ client, fleet, home, config }),
    knowledge,
    web: createWeb({
      allowPrivate: () => [new URL(site.url).host],
      rewrite: (url) => siteAddress(site.url, url)
    }),
    skills: createSkills(join(import.meta.dirname, '../../../skills'), join(home, 'skills'), silentLogger),
    sessions: createSessionsPort(store),
    clock: systemClock
  })
  const port = createToolPort(new Gateway({ tools: () => tools, version: '1', log: silentLogger }), '1')
  return {
    client,
    fleet,
    port,
    call: (name, args = {}, context = {}) =>
      port.call(name, args, {
        sessionId: 's1',
        messageId: 'm1',
        origin: 'agent',
        client: 'agent',
        tainted: false,
        signal: new AbortController().signal,
        ...context
      }),
    async stop() {
      await port.close()
      knowledge.close()
      await client.stop()
      simulation.stop()
      await Promise.all([...servers.map(({ server }) => server.stop()), site.stop()])
      rmSync(home, { recursive: true, force: true })
    }
  }
}
