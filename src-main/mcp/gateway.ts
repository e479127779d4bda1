import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Logger } from '../base/log'
import { redact } from '../base/redact'
import { redactDeep } from '../base/redact-deep'
import { messageOf } from '../base/result'
import { nearNames } from '../fleet/near'
import { refused } from '../tools/outcome'
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool'
import { callTool } from './call'
import { type Rate, RateLimit, usualRate } from './rate-limit'
import { listing } from './schema'

/** Where the agent's calls carry their context; read on the in-process connection and nowhere else. */
export const contextKey = 'nomos/context'
/** Where the in-process connection is told what a result means for the turn. */
export const outcomeKey = 'nomos/outcome'

/** What the agent's calls say of their turn. */
const callContextSchema = z.object({
  sessionId: z.string().nullable(),
  messageId: z.string().nullable(),
  origin: z.enum(['agent', 'mcp']),
  client: z.string(),
  tainted: z.boolean(),
  taintedBy: z.array(z.string()).optional()
})

export const callOutcomeSchema = z.object({
  taint: z.enum(['web', 'mcp']).optional(),
  card: z.object({ type: z.enum(['plan', 'approval']), id: z.string() }).optional(),
  endsTurn: z.boolean().optional()
})

/** Who is at the other end: the agent in this process, or a program from outside. */
export type Peer = 'agent' | 'outside'

export interface ConnectOptions {
  /** How a program from outside came in, by which its calls are counted: a token, or one of few places. */
  readonly way?: string
  readonly onClose?: () => void
}

export interface GatewayOptions {
  /** Asked for each listing and call, so that tools may come and go. */
  readonly tools: () => readonly Tool[]
  readonly version: string
  readonly log: Logger
  /** Calls of each way in from outside. */
  readonly rate?: Rate
  /** Milliseconds. */
  readonly now?: () => number
}

/** Everybody who has the token of the gateway, over however many connections. */
export const httpWay = 'http'

/** Calls of one connection at the same time; the agent runs fewer by itself. */
const atOnce = 16
const validName = /^[A-Za-z0-9_.-]{1,128}$/

/** The one MCP server of Nomos; each connection gets a protocol handler of its own over the same tools. */
export class Gateway {
  private readonly open = new Set<McpServer>()
  private readonly limit: RateLimit

  constructor(private readonly options: GatewayOptions) {
    this.limit = new RateLimit(options.rate ?? usualRate, options.now ?? Date.now)
  }

  /**
   * The tools by name; one with an impossible name, or with a name that is taken, is left out. Programs from outside
   * get none of external servers: those were allowed for the agent, with the operator's own access.
   */
  tools(peer: Peer = 'agent'): ReadonlyMap<string, Tool> {
    const tools = new Map<string, Tool>()
    for (const tool of this.options.tools()) {
      if (peer === 'outside' && tool.group === 'external') continue
      if (validName.test(tool.name) && tool.name !== '__proto__' && !tools.has(tool.name))
        tools.set(tool.name, tool)
      else
        this.options.log.log('warn', 'mcp', 'a tool was left out for its name', {
          name: tool.name.slice(0, 128)
        })
    }
    return tools
  }

  /** Serves one connection until it is closed; `onClose` is called then. */
  async connect(
    transport: Transport,
    peer: Peer,
    { way = 'stdio', onClose = () => undefined }: ConnectOptions = {}
  ): Promise<void> {
    const mcp = new McpServer(
      { name: 'nomos', title: 'Nomos', version: this.options.version },
      { capabilities: { tools: {} }, instructions }
    )
    const { server } = mcp
    let running = 0
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.tools(peer).values()].map(listing)
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      if (running >= atOnce)
        return asResult(
          refused({
            code: 'too_many_calls',
            message: `${atOnce} calls run already.`,
            hint: 'Wait for one of them.'
          }),
          peer
        )
      running++
      try {
        const context: ToolContext = {
          ...(peer === 'agent'
            ? callContextSchema.parse(params._meta?.[contextKey])
            : outsider(server.getClientVersion()?.name)),
          signal
        }
        const wait = peer === 'outside' ? this.limit.take(way) : null
        if (wait !== null) return asResult(this.tooFast(way, context.client, wait), peer)
        return asResult(await this.call(params.name, params.arguments ?? {}, context, peer), peer)
      } finally {
        running--
      }
    })
    server.onerror = (error) =>
      this.options.log.log('warn', 'mcp', 'protocol error', { error: messageOf(error) })
    server.onclose = () => {
      this.open.delete(mcp)
      onClose()
    }
    this.open.add(mcp)
    await mcp.connect(transport)
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((server) => server.close()))
  }

  private tooFast(way: string, client: string, waitMs: number): ToolOutcome {
    const { calls, perMs } = this.limit.rate
    this.options.log.log('warn', 'mcp', 'a client makes too many calls', { way, client })
    return refused({
      code: 'rate_limited',
      message: `${calls} calls were made ${way === httpWay ? 'with this token' : 'over this connection'} within ${perMs / 1000} s, which is the limit. This call was not run.`,
      hint: `Wait ${Math.ceil(waitMs / 1000)} s. One call such as get_state_snapshot replaces many.`
    })
  }

  private async call(
    name: string,
    args: Record<string, unknown>,
    context: ToolContext,
    peer: Peer
  ): Promise<ToolOutcome> {
    const tools = this.tools(peer)
    const tool = tools.get(name)
    if (tool) return callTool(tool, args, context, this.options.log)
    const near = nearNames(name, tools.keys())
    return refused({
      code: 'tool_unknown',
      message: `There is no tool named ${JSON.stringify(name.slice(0, 128))}.`,
      hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'get_tools_summary lists all tools.'
    })
  }
}

const instructions =
  'Tools of Nomos for Proxmox VE hosts. Start with get_tools_summary. Whatever changes something is requested with ' +
  'request_execution and may wait for the operator to approve it in Nomos: follow it with get_execution_status.'

/** A call from outside belongs to no session, and no approval given in one covers it. */
const outsider = (name: string | undefined): Omit<ToolContext, 'signal'> => ({
  sessionId: null,
  messageId: null,
  origin: 'mcp',
  client: (name ?? 'unknown client').replace(/[^\x20-\x7e]/g, '').slice(0, 80),
  tainted: true
})

/** A result as it leaves the gateway, for the agent as for others: whatever a tool has let through, secrets end here. */
function asResult({ text, structured, isError, taint, card, endsTurn }: ToolOutcome, peer: Peer) {
  return {
    content: [{ type: 'text' as const, text: redact(text) }],
    ...(structured && { structuredContent: z.record(z.string(), z.unknown()).parse(redactDeep(structured)) }),
    ...(isError && { isError }),
    ...(peer === 'agent' && { _meta: { [outcomeKey]: { taint, card, endsTurn } } })
  }
}
