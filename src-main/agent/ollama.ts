import { z } from 'zod'
import { readJson } from '../base/json'

type Fetch = typeof globalThis.fetch

/** How long it may take to find out what a server on the own network is, in milliseconds. */
const askMs = 2_000
/** An answer that is no more than this is read, in characters. */
const longestLine = 4 * 1024 * 1024

const shown = z.looseObject({ model_info: z.record(z.string(), z.unknown()).default({}) })

/**
 * What an Ollama server can read at once with this model, in tokens; null when the server is none or does not say.
 * Its OpenAI-compatible address takes no `num_ctx` and silently cuts what is longer than its default of 4,096 tokens
 * (docs.ollama.com/context-length, ollama#17889), so it is spoken to in its own words.
 */
export async function ollamaWindow(base: URL, model: string, request: Fetch): Promise<number | null> {
  if (!/^\/v1\/?$/.test(base.pathname)) return null
  const timeout = () => AbortSignal.timeout(askMs)
  const hello = await request(`${base.origin}/`, { signal: timeout() })
  if (!(await hello.text()).includes('Ollama is running')) return null
  const answer = await request(`${base.origin}/api/show`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, signal: timeout() },
    body: JSON.stringify({ model })
  })
  const { model_info } = shown.parse(await answer.json())
  const length = Object.entries(model_info).find(([key]) => key.endsWith('.context_length'))?.[1]
  return typeof length === 'number' && length > 0 ? length : null
}

const wireCall = z.looseObject({
  id: z.string().optional(),
  function: z.object({ name: z.string(), arguments: z.string() })
})
const wireMessage = z.looseObject({
  role: z.string(),
  content: z.unknown(),
  tool_calls: z.array(wireCall).optional(),
  tool_call_id: z.string().optional()
})
const wireRequest = z.looseObject({
  model: z.string(),
  messages: z.array(wireMessage),
  tools: z.array(z.unknown()).optional()
})

/** A request in OpenAI's words, in those of `/api/chat`, with the length of context that it is to be run with. */
export function toOllama(body: string, window: number): string {
  const { model, messages, tools } = wireRequest.parse(JSON.parse(body))
  const names = new Map(
    messages.flatMap((message) =>
      (message.tool_calls ?? []).map((call) => [call.id, call.function.name] as const)
    )
  )
  return JSON.stringify({
    ...{ model, stream: true, options: { num_ctx: window } },
    ...(tools && { tools }),
    messages: messages.map(({ role, content, tool_calls, tool_call_id }) => ({
      role,
      content: textOf(content),
      ...(tool_calls && {
        tool_calls: tool_calls.map(({ function: fn }) => ({
          function: { name: fn.name, arguments: readJson(fn.arguments) ?? {} }
        }))
      }),
      ...(tool_call_id !== undefined && { tool_name: names.get(tool_call_id) ?? '' })
    }))
  })
}

const textPart = z.looseObject({ text: z.string() })
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(textPart).safeParse(content)
  return parts.success ? parts.data.map((part) => part.text).join('\n') : ''
}

const line = z.looseObject({
  message: z
    .looseObject({
      content: z.string().default(''),
      thinking: z.string().optional(),
      tool_calls: z.array(z.unknown()).optional()
    })
    .optional(),
  done: z.boolean().default(false),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
  error: z.unknown().optional()
})

/** One line of its answer as an event in OpenAI's words. */
function eventOf(text: string): unknown {
  const read = line.safeParse(readJson(text))
  if (!read.success)
    return { error: { message: `Ollama answered with a line that is none of its: ${text.slice(0, 120)}` } }
  const { message, done, done_reason, error } = read.data
  if (error !== undefined) return { error }
  const finish = done_reason === 'length' ? 'length' : 'stop'
  return {
    choices: [
      {
        index: 0,
        delta: {
          content: message?.content ?? '',
          ...(message?.thinking !== undefined && { reasoning_content: message.thinking }),
          ...(message?.tool_calls && { tool_calls: message.tool_calls })
        },
        finish_reason: done ? finish : null
      }
    ],
    ...(done && {
      usage: {
        prompt_tokens: read.data.prompt_eval_count ?? 0,
        completion_tokens: read.data.eval_count ?? 0
      }
    })
  }
}

/** Its answer, a JSON object a line, as an event stream. One that is no success stays as it is. */
export function fromOllama(response: Response): Response {
  if (!response.ok || response.body === null) return response
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let open = ''
  const hand = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    if (text.trim() !== '') controller.enqueue(encoder.encode(`data: ${JSON.stringify(eventOf(text))}\n\n`))
  }
  const events = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (open + decoder.decode(chunk, { stream: true })).split('\n')
      open = lines.pop() ?? ''
      for (const each of lines) hand(each, controller)
      // Left to the reader of the stream, which says that it is too much.
      if (open.length > longestLine) {
        controller.enqueue(encoder.encode(`data: ${open}`))
        open = ''
      }
    },
    flush(controller) {
      if (readJson(open) !== undefined) hand(open, controller)
    }
  })
  return new Response(response.body.pipeThrough(events), {
    status: 200,
    headers: { 'content-type': 'text/event-stream' }
  })
}
