import type { z } from 'zod'

/** Who calls a tool, and where its effects belong. */
export interface ToolContext {
  /** Session of the agent's turn; null for other MCP clients. */
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly origin: 'agent' | 'mcp'
  /** Name of the calling client, for approvals and the audit trail. */
  readonly client: string
  /** The turn has read text from the web or from an external server. */
  readonly tainted: boolean
  /**
   * Where text from outside came from since the operator spoke or approved last: `web`, or names of external servers.
   */
  readonly taintedBy?: readonly string[] | undefined
  readonly signal: AbortSignal
}

/** A card that belongs in the conversation at the place of the call. */
interface ToolCard {
  readonly type: 'plan' | 'approval'
  readonly id: string
}

export interface ToolOutcome {
  /** Short text for the model. */
  readonly text: string
  /** The same as data; checked against the tool's output schema. */
  readonly structured?: Readonly<Record<string, unknown>>
  /** A failure that the model can read and act on. */
  readonly isError?: boolean
  /** Set when the result brings in text from outside. */
  readonly taint?: 'web' | 'mcp'
  readonly card?: ToolCard
  /** The turn should end after this call: a result will come by itself. */
  readonly endsTurn?: boolean
}

/** A tool as the gateway serves it; one file each, or a few that are alike. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly group: 'fleet' | 'inside' | 'knowledge' | 'doing' | 'signals' | 'self' | 'external'
  /** For the model: what it does, when to use it, limits, what to use instead. */
  readonly description: string
  readonly input: I
  /** JSON schema to list in place of that of `input`, where another server is the one who checks. */
  readonly inputSchema?: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  readonly output?: z.ZodObject
  readonly readOnly: boolean
  readonly openWorld?: boolean
  /** Milliseconds after which the call fails with a readable error. */
  readonly timeoutMs: number
  /** For the tool group: "Reading the state of caddy", object "caddy". */
  sentence(input: z.output<I>): { readonly sentence: string; readonly object: string }
  run(input: z.output<I>, context: ToolContext): Promise<ToolOutcome>
}
