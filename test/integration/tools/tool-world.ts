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
import { startLab } from '../../../src-main/lab/lab'
import { Gateway } from '../../../src-main/mcp/gateway'
import { createToolPort } from '../../../src-main/mcp/tool-port'
import { createSignals } from '../../../src-main/signals/signals'
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
  const lab = await startLab({ folder: join(home, 'lab'), pace: 0.05 })
  const { hosts, webFetchAllow } = lab.config
  const config = openConfig(join(home, 'nomos.config.json'))
  config.update({ hosts: [...hosts] })
  const client = startSshClient(hosts)
  const { ssh, store } = client
  const fleet = createFleet({ ssh, store, config, clock: systemClock, log: silentLogger })
  const knowledge = createKnowledge({ store, folders: () => [], log: silentLogger })
  const executions = executionsOf({ client, fleet, home, config })
  const tools = createTools({
    fleet,
    ssh,
    executions,
    signals: createSignals({ store, fleet, ssh, executions, config, log: silentLogger }),
    knowledge,
    web: createWeb({ allowPrivate: () => webFetchAllow, rewrite: lab.rewrite }),
    skills: createSkills({
      shipped: join(import.meta.dirname, '../../../skills'),
      own: join(home, 'skills'),
      store
    }),
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
      await lab.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
