import { z } from 'zod'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })

const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })
    )
    .optional()
})

/** What is read of a request to `/v1/chat/completions`. */
export const chatRequest = z.looseObject({
  messages: z.array(message),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z
    .array(
      z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.unknown().optional() }) })
    )
    .optional()
})
export type ChatRequest = z.infer<typeof chatRequest>
export type ChatMessage = z.infer<typeof message>

/** The texts of a message, part by part. */
export const textsOf = (content: ChatMessage['content']): string[] => {
  if (typeof content === 'string') return [content]
  return (content ?? []).flatMap((each) => (each.text === undefined ? [] : [each.text]))
}

/** The name the scripted model goes by. */
export const labModel = 'lab-scripted'
