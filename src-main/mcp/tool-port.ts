import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { ToolInfo, ToolPort } from '../agent/ports'
import { messageOf } from '../base/result'
import { refused } from '../tools/outcome'
import type { ToolContext, ToolOutcome } from '../tools/tool'
import { callOutcomeSchema, contextKey, outcomeKey, type Gateway } from './gateway'
import { LazyValidator } from './lazy-validator'

/** A tool limits its own time; this only guards against one that does not. */
const lastResortMs = 15 * 60_000

/** The agent's way to the tools: a real MCP client, connected to the gateway within this process. */
export function createToolPort(gateway: Gateway, version: string): ToolPort & { close(): Promise<void> } {
  let connected: Promise<Client> | null = null
  const client = (): Promise<Client> => {
    connected ??= connect(gateway, version, () => (connected = null)).catch((error: unknown) => {
      connected = null
      throw error
    })
    return connected
  }

  return {
    async list() {
      const { tools } = await (await client()).listTools()
      return tools.map((tool): ToolInfo => ({
        name: tool.name,
        description: tool.description ?? '',
        inputSchema: tool.inputSchema,
        readOnly: tool.annotations?.readOnlyHint === true
      }))
    },

    async call(name, args, context) {
      try {
        return await callOver(await client(), name, args, context)
      } catch (error) {
        if (context.signal.aborted)
          return refused({ code: 'aborted', message: `${name} was stopped before it answered.` })
        return refused({ code: 'tool_failed', message: `${name} failed: ${messageOf(error)}` })
      }
    },

    sentence(name, args) {
      const tool = gateway.tools().get(name)
      const parsed = tool?.input.safeParse(args)
      if (!tool || !parsed?.success)
        return { sentence: `Calling ${name.slice(0, 64)}`, object: name.slice(0, 64) }
      const { sentence, object } = tool.sentence(parsed.data)
      return { sentence: short(sentence, 200), object: short(object, 80) }
    },

    async close() {
      await (await connected)?.close()
    }
  }
}

const validator = new LazyValidator()

async function connect(gateway: Gateway, version: string, onClose: () => void): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'nomos-agent', version }, { jsonSchemaValidator: validator })
  client.onclose = onClose
  await gateway.connect(theirs, 'agent')
  await client.connect(ours)
  // The client checks results against the schemas that it has seen in a listing.
  await client.listTools()
  return client
}

async function callOver(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { signal, ...context }: ToolContext
): Promise<ToolOutcome> {
  const result = await client.callTool(
    { name, arguments: { ...args }, _meta: { [contextKey]: context } },
    undefined,
    { signal, timeout: lastResortMs }
  )
  const content = Array.isArray(result.content)
    ? (result.content as readonly { type: string; text?: unknown }[])
    : []
  const text = content.flatMap((part) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : []
  )
  const meta = callOutcomeSchema.safeParse(result._meta?.[outcomeKey])
  const { taint, card, endsTurn } = meta.success ? meta.data : {}
  return {
    text: text.join('\n'),
    ...(isRecord(result.structuredContent) && { structured: result.structuredContent }),
    ...(result.isError === true && { isError: true }),
    ...(taint && { taint }),
    ...(card && { card }),
    ...(endsTurn !== undefined && { endsTurn })
  }
}

const short = (text: string, limit: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
