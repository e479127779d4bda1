import { SvelteMap } from 'svelte/reactivity'
import type { AppError, McpServerView, McpToolView, NomosEvent, Reply, RouteInput } from '@contract'
import type { Client } from './client.svelte'

type Definition = RouteInput<'mcp.add'>['server']

/** External MCP servers, and one that is being added. Nothing is started before it was confirmed. */
export class McpPage {
  readonly servers = new SvelteMap<string, McpServerView>()
  loaded = $state(false)
  error = $state.raw<AppError | null>(null)
  busy = $state(false)
  adding = $state(false)
  name = $state('')
  kind = $state<'command' | 'url'>('command')
  /** One argument a line; the first line is the program. */
  command = $state('')
  /** One `NAME=value` a line. */
  env = $state('')
  url = $state('')
  /** Goes to the keychain and is never read back. */
  token = $state('')
  readonly #client: Client

  readonly list = $derived([...this.servers.values()].sort((a, b) => a.name.localeCompare(b.name, 'en')))
  readonly complete = $derived(
    this.name.trim() !== '' && (this.kind === 'command' ? this.command : this.url).trim() !== ''
  )

  constructor(client: Client) {
    this.#client = client
  }

  receive(event: Extract<NomosEvent, { type: 'mcp.changed' }>): void {
    if (event.gone) this.servers.delete(event.server.name)
    else this.servers.set(event.server.name, event.server)
  }

  async read(): Promise<void> {
    const reply = await this.#client.request('mcp.list', {})
    this.loaded = true
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    this.servers.clear()
    for (const server of reply.data) this.servers.set(server.name, server)
  }

  async add(): Promise<void> {
    const name = this.name.trim()
    const token = this.kind === 'url' && this.token !== '' ? `mcp-${name}` : null
    if (token !== null) {
      const kept = await this.#client.request('secret.set', { name: token, value: this.token })
      this.error = kept.ok ? null : kept.error
      if (!kept.ok) return
    }
    const added = await this.#take(this.#client.request('mcp.add', { name, server: this.#definition(token) }))
    if (!added) return
    this.adding = false
    this.name = this.command = this.env = this.url = this.token = ''
  }

  /** Confirms exactly what was shown: the hash is that of the view on the screen. */
  async consent(server: McpServerView): Promise<void> {
    await this.#take(this.#client.request('mcp.consent', { name: server.name, hash: server.hash }))
  }

  async allow(server: McpServerView, tool: McpToolView, allowed: boolean): Promise<void> {
    await this.#take(
      this.#client.request('mcp.allow_tool', {
        server: server.name,
        tool: tool.name,
        hash: tool.hash,
        allowed
      })
    )
  }

  async reconnect(name: string): Promise<void> {
    await this.#take(this.#client.request('mcp.reconnect', { name }))
  }

  async remove(name: string): Promise<void> {
    const reply = await this.#client.request('mcp.remove', { name })
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.servers.delete(name)
  }

  async #take(asked: Promise<Reply<McpServerView>>): Promise<boolean> {
    this.busy = true
    const reply = await asked
    this.busy = false
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.servers.set(reply.data.name, reply.data)
    return reply.ok
  }

  #definition(token: string | null): Definition {
    if (this.kind === 'url')
      return { url: this.url.trim(), ...(token === null ? {} : { token: `keychain:${token}` }) }
    const [program = '', ...args] = linesOf(this.command)
    const env = linesOf(this.env).map((line): [string, string] => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    })
    return { command: program, args, env: Object.fromEntries(env) }
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
