import { z } from 'zod'
import type { Tool } from '../tools/tool'

export type JsonSchema = Record<string, unknown> & { type: 'object' }

/** JSON schema of what a tool takes or returns, in the draft that MCP clients check with. */
export function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' })
  return { ...json, type: 'object' }
}

/** A tool as MCP lists it. */
export const listing = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.inputSchema ?? jsonSchema(tool.input, 'input'),
  ...(tool.output && { outputSchema: jsonSchema(tool.output, 'output') }),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.readOnly,
    destructiveHint: !tool.readOnly,
    idempotentHint: tool.readOnly,
    openWorldHint: tool.openWorld ?? false
  }
})
