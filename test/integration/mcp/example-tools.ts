import { z } from 'zod'
import { silentLogger } from '../../../src-main/base/log'
import { Gateway } from '../../../src-main/mcp/gateway'
import type { Tool, ToolContext } from '../../../src-main/tools/tool'

/** A tool with as little as possible, for what is the gateway's own. */
export const exampleTool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  title: name,
  group: 'self',
  description: `What ${name} does.`,
  input: z.strictObject({}),
  readOnly: true,
  timeoutMs: 5000,
  sentence: () => ({ sentence: `Doing ${name}`, object: name }),
  run: () => Promise.resolve({ text: name }),
  ...more
})

/** Remembers the context of each call, and returns what it was given. */
export function echo(calls: ToolContext[] = []): Tool {
  return exampleTool('echo', {
    input: z.strictObject({
      word: z.string().max(20),
      times: z.number().int().min(1).max(5).default(1),
      names: z.array(z.string()).optional()
    }),
    output: z.object({ words: z.array(z.string()) }),
    run: (input, context) => {
      calls.push(context)
      const { word, times } = z.object({ word: z.string(), times: z.number() }).parse(input)
      return Promise.resolve({
        text: `${word} `.repeat(times).trim(),
        structured: { words: Array.from({ length: times }, () => word), more: 'not in the schema' },
        taint: 'web',
        endsTurn: true,
        card: { type: 'plan', id: 'p1' }
      })
    }
  })
}

/** Ends when it is aborted and not before. */
export const endless = (timeoutMs: number, aborted: () => void = () => undefined): Tool =>
  exampleTool('endless', {
    timeoutMs,
    run: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted()
          resolve({ text: 'too late' })
        })
      })
  })

export const gatewayOf = (...tools: readonly Tool[]): Gateway =>
  new Gateway({ tools: () => tools, version: '1.2.3', log: silentLogger })

export const contextOf = (more: Partial<ToolContext> = {}): ToolContext => ({
  sessionId: 's1',
  messageId: 'm1',
  origin: 'agent',
  client: 'agent',
  tainted: false,
  signal: new AbortController().signal,
  ...more
})
