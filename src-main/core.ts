import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SkillView } from '../src-preload/contract'
import { createAgent, createSessionsPort, type Agent } from './agent/agent'
import { createModelDoctor } from './agent/doctor'
import { createModelSource } from './agent/providers'
import type { Clock } from './base/clock'
import type { Logger } from './base/log'
import { ok, type Result } from './base/result'
import { openConfig } from './config/config'
import { configPath } from './config/path'
import { overlay } from './config/overlay'
import { watchPath } from './config/watch'
import { createExecutions } from './execution/executions'
import { createFleet } from './fleet/fleet'
import { testHost } from './fleet/host-test'
import type { Services } from './ipc/services'
import { createKnowledge } from './knowledge/knowledge'
import { LabControl } from './lab-control'
import { ExternalServers } from './mcp/external/servers'
import { Gateway } from './mcp/gateway'
import { serveHttpAsConfigured } from './mcp/http-service'
import { serveSocket } from './mcp/socket'
import { createToolPort } from './mcp/tool-port'
import { createSecrets } from './secrets/secrets'
import { createSignals } from './signals/signals'
import { createSkills } from './skills/skills'
import { createKeys } from './ssh/keys'
import { createSsh } from './ssh/ssh'
import { backUpDaily } from './store/backup'
import { openStore } from './store/store'
import { createTools, fleetSummary, toolsSummary } from './tools'
import { createWeb } from './web/web'

export interface CoreOptions {
  /** Folder for everything that is written; locked for this program. */
  readonly home: string
  /** The app's folder, with `migrations`, `resources` and `skills`. */
  readonly appFolder: string
  readonly version: string
  readonly logsFolder: string
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Logger
}

/** Everything that runs under plain Node, and the gateway to it for other MCP clients. */
export interface Core extends Services {
  readonly agent: Agent
  readonly gateway: Gateway
  /** Recovers what an earlier run left, in order: the lab, executions, turns. Then the fleet is asked. */
  start(): Promise<void>
}

/** Builds each service from its dependencies; nothing runs before `start`. */
export function createCore(options: CoreOptions): Result<Core> {
  const { home, appFolder, clock, log, env } = options
  const opened = openStore(home, join(appFolder, 'migrations'), clock, log)
  if (!opened.ok) return opened
  const store = opened.value

  const file = openConfig(configPath(home, env))
  const lab = new LabControl({ folder: join(home, 'lab'), pace: Number(env['NOMOS_LAB_PACE'] ?? 1) }, () =>
    config.refresh()
  )
  const config = overlay(file, () => lab.layer(file.get()))
  const secrets = createSecrets({ home, log, env })
  const hosts = () => config.get().hosts
  const ssh = createSsh({
    store,
    secrets,
    hosts,
    onHostsChange: (told) => config.onChange(told),
    clock,
    log,
    env
  })
  const fleet = createFleet({ ssh, store, config, clock, log })
  const executions = createExecutions({ store, ssh, fleet, config, home, clock, log })
  const knowledge = createKnowledge({ store, folders: () => config.get().knowledge.folders, log })
  const skills = createSkills({
    shipped: join(appFolder, 'skills'),
    own: join(home, 'skills'),
    store
  })
  const signals = createSignals({ store, fleet, ssh, executions, config, log })
  const web = createWeb({
    allowPrivate: () => config.get().webFetch.allowPrivate,
    rewrite: (url) => lab.rewrite(url)
  })
  const sessions = createSessionsPort(store)
  const external = new ExternalServers({ store, config, secrets, home, env, version: options.version, log })
  const own = createTools({
    ...{ fleet, ssh, executions, signals, knowledge, web, skills, sessions, clock },
    external: () => external.tools()
  })
  const tools = () => [...own, ...external.tools()]
  const gateway = new Gateway({ tools, version: options.version, log })
  const namedModel = (name: string) => config.get().models.find((model) => model.name === name)
  const toolPort = createToolPort(gateway, options.version)
  const models = createModelSource({
    modelConfig: (name) => (name === null ? config.get().model : namedModel(name)),
    secrets
  })
  const agent = createAgent({
    store,
    tools: toolPort,
    models,
    executions,
    fleetSummary: () => fleetSummary(fleet),
    soul: readFileSync(join(appFolder, 'resources/SOUL.md'), 'utf8'),
    toolsSummary: () => toolsSummary(tools()),
    skillsIndex: () => skillsIndex(skills.list()),
    clock,
    log
  })
  let stopBackups = () => {}
  let stopWatching = () => {}
  let stopServing = async () => {}

  /** Lets other MCP clients in: programs of this user, and over HTTP if the configuration says so. */
  function serveOthers(): () => Promise<void> {
    const closeSocket = serveSocket(gateway, home, log)
    const http = serveHttpAsConfigured({ gateway, home, config, log })
    return async () => {
      await Promise.all([closeSocket(), http.close()])
    }
  }

  return ok({
    ...{ version: options.version, logsFolder: options.logsFolder, log },
    ...{ store, config, secrets, ssh, fleet, executions, signals, agent, knowledge, skills, gateway },
    keys: createKeys(secrets),
    doctor: createModelDoctor(models),
    mcpServers: external,
    lab: {
      get running() {
        return lab.running
      },
      async start() {
        const started = await lab.start()
        if (!started.ok) return started
        const kept = config.update({ lab: true })
        return kept.ok ? ok(null) : kept
      },
      async stop() {
        await lab.stop()
        const kept = config.update({ lab: false })
        return kept.ok ? ok(null) : kept
      }
    },
    testHost: (host) => testHost(ssh, host),
    modelLabel: () => file.get().model?.model ?? (lab.running ? 'scripted (lab)' : null),
    async start() {
      stopWatching = watchPath(file.path, () => file.reload())
      if (config.get().lab) {
        const started = await lab.start()
        if (!started.ok) log.log('error', 'lab', started.error.message)
      }
      await executions.recover()
      agent.recover()
      signals.start()
      fleet.start()
      void knowledge.refreshFolders()
      external.start()
      stopServing = serveOthers()
      stopBackups = backUpDaily(store, join(home, 'backups'), (made) => {
        if (!made.ok) log.log('error', 'store', made.error.message)
      })
    },
    wake() {
      executions.wake()
      agent.wake()
    },
    async close() {
      stopBackups()
      stopWatching()
      await stopServing()
      fleet.stop()
      await signals.close()
      await agent.close()
      await executions.close()
      await toolPort.close()
      await gateway.close()
      await external.close()
      knowledge.close()
      await models.close()
      await ssh.close()
      await lab.stop()
      store.close()
    }
  })
}

/** What a skill says of itself is read only once the operator has allowed it. */
const skillsIndex = (skills: readonly SkillView[]): string =>
  skills
    .filter(({ state }) => state === 'allowed')
    .map(({ name, description }) => `- ${name}: ${description}`)
    .join('\n')
