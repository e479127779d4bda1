import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Config, McpLaunch, McpServerConfig, McpServerView } from '../../../src-preload/contract'
import type { Logger } from '../../base/log'
import { fail, ok, type Result } from '../../base/result'
import type { ConfigService } from '../../config/port'
import type { Secrets } from '../../secrets/port'
import { Audit } from '../../store/audit'
import type { Store } from '../../store/store'
import type { Tool } from '../../tools/tool'
import { Connection } from './connection'
import { environmentFor } from './environment'
import { HttpTransport } from './http-transport'
import { launchHash, launchOf, shortLaunch } from './launch'
import { StdioTransport } from './stdio-transport'
import { ConsentTable } from './table'
import { usualTiming, type Timing } from './timing'
import { externalTool } from './tool'
import { toolState, viewOf } from './view'

export interface ExternalServersOptions {
  readonly store: Store
  readonly config: ConfigService
  readonly secrets: Secrets
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly log: Logger
  readonly timing?: Partial<Timing>
}

/** A server of the configuration. It has a connection only once the operator has confirmed exactly this launch. */
export interface Entry {
  readonly name: string
  readonly launch: McpLaunch
  readonly hash: string
  connection: Connection | null
  transport: Transport | null
}

/**
 * The external MCP servers of the configuration. What is started or connected to has been confirmed by the operator as
 * it is; each tool has been allowed as it is; whatever changes waits to be confirmed or allowed anew.
 */
export class ExternalServers {
  private readonly entries = new Map<string, Entry>()
  private readonly table: ConsentTable
  private readonly timing: Timing
  private readonly audit: Audit
  private readonly closing = new Set<Promise<void>>()
  private unsubscribe: (() => void) | null = null

  constructor(private readonly options: ExternalServersOptions) {
    this.table = new ConsentTable(options.store)
    this.audit = new Audit(options.store.db, options.store.clock)
    this.timing = { ...usualTiming, ...options.timing }
    this.follow(options.config.get())
  }

  /** Connects what has been confirmed, and follows the configuration from now on. */
  start(): void {
    this.unsubscribe ??= this.options.config.onChange((config) => this.follow(config))
    for (const entry of this.entries.values()) this.connectIfConfirmed(entry)
  }

  /** Ends every server with all that it started. */
  async close(): Promise<void> {
    this.unsubscribe?.()
    this.unsubscribe = null
    for (const entry of this.entries.values()) this.disconnect(entry)
    await Promise.all(this.closing)
  }

  list(): readonly McpServerView[] {
    return [...this.entries.values()].map((entry) => this.view(entry))
  }

  /** The tools that are allowed as they are now, for the gateway. */
  tools(): readonly Tool[] {
    return [...this.entries.values()].flatMap(({ name, hash, connection }) => {
      if (!connection) return []
      const pins = this.table.pins(name)
      return connection.tools
        .filter((tool) => toolState(tool, pins.get(tool.name), hash) === 'allowed')
        .map((tool) => externalTool(name, tool, connection, this.timing))
    })
  }

  /** Writes a server to the configuration; nothing is started yet. Errors: `mcp_server_exists`, `config_…`. */
  add(name: string, server: McpServerConfig): Result<McpServerView> {
    const { config } = this.options
    const servers = config.get().mcpServers
    if (Object.hasOwn(servers, name))
      return fail(
        'mcp_server_exists',
        `There is already a server called ${name}. Nothing was changed.`,
        'Choose another name.',
        { name }
      )
    const written = config.update({ mcpServers: { ...servers, [name]: server } })
    if (!written.ok) return written
    this.follow(config.get())
    return this.withEntry(name, (entry) => ok(this.view(entry)))
  }

  /** The operator has seen the launch with this hash and wants it. Errors: `mcp_server_unknown`, `mcp_launch_changed`. */
  consent(name: string, hash: string): Result<McpServerView> {
    return this.withEntry(name, (entry) => {
      if (entry.hash !== hash)
        return fail(
          'mcp_launch_changed',
          `What ${name} would start is not what was shown any more. Nothing was started.`,
          'Look at it again.'
        )
      this.change(entry, () => {
        this.table.giveConsent(name, hash)
        this.audit.append('mcp.confirmed', name, null, { hash, launch: shortLaunch(entry.launch) })
      })
      this.connectIfConfirmed(entry)
      return ok(this.view(entry))
    })
  }

  /** Allows a tool as it was shown, or no longer. Errors: `mcp_tool_unknown`, `mcp_tool_changed`, `mcp_tool_unusable`. */
  allowTool(name: string, toolName: string, hash: string, allowed: boolean): Result<McpServerView> {
    return this.withEntry(name, (entry) => {
      if (!allowed) {
        this.change(entry, () => {
          this.table.unpin(name, toolName)
          this.audit.append('mcp.tool_forbidden', `${name}: ${toolName}`, null, {})
        })
        return ok(this.view(entry))
      }
      const tool = entry.connection?.tools.find((one) => one.name === toolName)
      if (!tool)
        return fail('mcp_tool_unknown', `${name} has no tool called ${toolName}. Nothing was allowed.`)
      if (tool.problem !== null) return fail('mcp_tool_unusable', `${toolName}: ${tool.problem}`)
      if (tool.hash !== hash)
        return fail(
          'mcp_tool_changed',
          `${toolName} is not what was shown any more. Nothing was allowed.`,
          'Look at it again.'
        )
      const { description } = tool
      this.change(entry, () => {
        this.table.pin(name, toolName, { launch: entry.hash, hash, description })
        this.audit.append('mcp.tool_allowed', `${name}: ${toolName}`, null, { hash })
      })
      return ok(this.view(entry))
    })
  }

  /** Connects anew, now. Errors: `mcp_server_unknown`, `mcp_not_confirmed`. */
  reconnect(name: string): Result<McpServerView> {
    return this.withEntry(name, (entry) => {
      if (!this.isConfirmed(entry))
        return fail('mcp_not_confirmed', `${name} has not been confirmed yet. Nothing was started.`)
      if (entry.connection) entry.connection.connect()
      else this.connectIfConfirmed(entry)
      return ok(this.view(entry))
    })
  }

  /** Ends the server, takes it out of the configuration, and forgets what was allowed. */
  remove(name: string): Result<null> {
    return this.withEntry(name, (entry) => {
      const { config, store } = this.options
      const { [name]: _gone, ...others } = config.get().mcpServers
      const written = config.update({ mcpServers: others })
      if (!written.ok) return written
      this.leave(entry)
      store.transact((tx) => {
        this.table.forget(name)
        this.audit.append('mcp.removed', name, null, {})
        tx.emit({ type: 'mcp.changed', server: this.view(entry), gone: true })
      })
      return ok(null)
    })
  }

  /** Brings the servers in line with the configuration. One that is launched differently is a new one. */
  private follow(config: Config): void {
    const wanted = new Map(
      Object.entries(config.mcpServers).map(([name, server]) => {
        const launch = launchOf(server)
        return [name, { name, launch, hash: launchHash(launch), connection: null, transport: null }]
      })
    )
    for (const entry of [...this.entries.values()]) {
      if (wanted.get(entry.name)?.hash === entry.hash) continue
      this.leave(entry)
      if (!wanted.has(entry.name)) this.announce(entry, true)
    }
    for (const entry of wanted.values()) {
      if (this.entries.has(entry.name)) continue
      this.entries.set(entry.name, entry)
      if (this.unsubscribe) this.connectIfConfirmed(entry)
      this.announce(entry)
    }
  }

  private isConfirmed(entry: Entry): boolean {
    return this.table.consent(entry.name) === entry.hash
  }

  private connectIfConfirmed(entry: Entry): void {
    if (entry.connection || !this.isConfirmed(entry)) return
    const { version, log } = this.options
    entry.connection = new Connection({
      ...{ name: entry.name, version, timing: this.timing, log },
      open: () => this.open(entry),
      changed: () => this.announce(entry)
    })
    entry.connection.connect()
  }

  private async open(entry: Entry): Promise<Result<Transport>> {
    const { secrets, env, home } = this.options
    const { launch } = entry
    if (launch.kind === 'http') {
      const token = launch.token === null ? ok(null) : await secrets.resolve(launch.token)
      return token.ok ? ok((entry.transport = new HttpTransport(launch.url, token.value))) : token
    }
    const environment = await environmentFor(launch.env, env, secrets)
    if (!environment.ok) return environment
    const cwd = join(home, 'mcp', entry.name)
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    const { command, args } = launch
    entry.transport = new StdioTransport({ command, args, env: environment.value, cwd }, this.timing.graceMs)
    return ok(entry.transport)
  }

  private leave(entry: Entry): void {
    this.entries.delete(entry.name)
    this.disconnect(entry)
  }

  private disconnect(entry: Entry): void {
    const { connection } = entry
    entry.connection = null
    if (!connection) return
    const closing = connection.close().finally(() => this.closing.delete(closing))
    this.closing.add(closing)
  }

  private withEntry<T>(name: string, use: (entry: Entry) => Result<T>): Result<T> {
    const entry = this.entries.get(name)
    return entry ? use(entry) : fail('mcp_server_unknown', `There is no MCP server called ${name}.`)
  }

  /** A decision of the operator, with its event. */
  private change(entry: Entry, write: () => void): void {
    this.options.store.transact((tx) => {
      write()
      tx.emit({ type: 'mcp.changed', server: this.view(entry), gone: false })
    })
  }

  private announce(entry: Entry, gone = false): void {
    this.options.store.announce({ type: 'mcp.changed', server: this.view(entry), gone })
  }

  private view(entry: Entry): McpServerView {
    return viewOf(entry, this.isConfirmed(entry), this.table.pins(entry.name))
  }
}
