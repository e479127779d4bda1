import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { plainText } from '../../tools/text'
import type { Timing } from './timing'

/** More tools than a model can choose from, and pages that never end. */
const mostTools = 256
const mostPages = 20

/** Each tool is read by itself afterwards, so that a wrong one does not hide the others. */
const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

export interface ClientEvents {
  closed(): void
  toolsChanged(): void
  /** The server asked the operator for something and was told no. */
  declined(what: string): void
  error(error: Error): void
}

/** One session with an external server: the official client, kept from believing or running anything of the server. */
export class ServerClient {
  private readonly client: Client

  constructor(
    version: string,
    private readonly timing: Timing,
    events: ClientEvents
  ) {
    // Asking the operator is declared so that a server that asks gets a clear no, and does not wait for one.
    this.client = new Client(
      { name: 'nomos', title: 'Nomos', version },
      { capabilities: { elicitation: { form: {}, url: {} } } }
    )
    this.client.onclose = () => events.closed()
    this.client.onerror = (error) => events.error(error)
    this.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      events.declined(plainText(params.message).slice(0, 200))
      return { action: 'decline' }
    })
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.toolsChanged())
  }

  connect(transport: Transport): Promise<void> {
    return this.client.connect(transport, { timeout: this.timing.connectMs })
  }

  /** The tools as the server gives them. Not by `Client.listTools`, which compiles the schemas of the server. */
  async list(): Promise<readonly unknown[]> {
    if (!this.client.getServerCapabilities()?.tools) return []
    const tools: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
      const answer = await this.client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        pageSchema,
        { timeout: this.timing.listMs }
      )
      tools.push(...answer.tools)
      cursor = answer.nextCursor
      if (cursor === undefined) break
    }
    return tools.slice(0, mostTools)
  }

  /** Rejects when there is no answer; the server is told when it need not go on (notifications/cancelled). */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult> {
    return this.client.request(
      { method: 'tools/call', params: { name, arguments: { ...args } } },
      CallToolResultSchema,
      { signal, timeout: this.timing.callMs }
    )
  }
}
