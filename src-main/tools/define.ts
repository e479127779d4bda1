import type { z } from 'zod'
import { messageOf } from '../base/result'
import { refused } from './outcome'
import { cutMiddle, modelBytes, plainData, plainText } from './text'
import type { Tool, ToolContext, ToolOutcome } from './tool'

interface Definition<I extends z.ZodObject, O extends z.ZodObject> extends Tool<I> {
  readonly output: O
  /** Bytes of text for the model, where 8 KiB is not right. */
  readonly textBytes?: number
  run(input: z.output<I>, context: ToolContext): Promise<ToolOutcome>
}

/**
 * A tool that keeps what every tool promises: it never throws, its text is plain, free of secrets and of bounded
 * size, and so is its data.
 */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O>
): Tool<I> {
  const { textBytes = modelBytes, ...tool } = definition
  return {
    ...tool,
    async run(input, context) {
      let outcome: ToolOutcome
      try {
        outcome = await definition.run(input, context)
      } catch (error) {
        outcome = refused({ code: 'tool_failed', message: `${tool.name} failed: ${messageOf(error)}` })
      }
      return {
        ...outcome,
        text: cutMiddle(plainText(outcome.text), textBytes),
        ...(outcome.structured && { structured: plainData(outcome.structured) as Record<string, unknown> })
      }
    }
  }
}
