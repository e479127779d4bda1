import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { ModelAnswerError } from './model-error'
import { firstWords } from './text'
import { ToolCallStream } from './tool-call-stream'

/** Rewrites one event's JSON into the shape that the SDK knows; null drops the event. */
export type Normalise = (event: unknown) => unknown

const maxEventCharacters = 4 * 1024 * 1024
const maxTotalBytes = 32 * 1024 * 1024

/**
 * Turns what a model's service sends into a clean event stream: a whole JSON answer becomes one event, an HTML page
 * a readable error, a last event without its blank line is delivered, and every event passes through `normalise`.
 * Responses that are no success are left to the SDK.
 */
export async function cleanResponse(response: Response, normalise: Normalise): Promise<Response> {
  if (!response.ok) return response
  if (response.body === null)
    throw new ModelAnswerError(`The model’s service answered ${response.status} with nothing in it.`)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let start = ''
  while (start.trim() === '') {
    const { done, value } = await reader.read()
    if (done) throw new ModelAnswerError('The model’s service answered with nothing in it.')
    start += decoder.decode(value, { stream: true })
  }
  const clean = /^\s*[{<]/.test(start)
    ? eventsOfDocument(await rest(reader, decoder, start), normalise)
    : eventsOfStream(reader, decoder, start, normalise)
  return new Response(clean, { status: 200, headers: { 'content-type': 'text/event-stream' } })
}

type Decoder = InstanceType<typeof TextDecoder>
type Reader = ReadableStreamDefaultReader<Uint8Array>

function eventsOfStream(
  reader: Reader,
  decoder: Decoder,
  start: string,
  normalise: Normalise
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let queue: string[] = []
  let total = 0
  const parser = createParser({
    onEvent: ({ data }) => queue.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLargeEvent()
    },
    maxBufferSize: maxEventCharacters
  })
  const flush = (controller: ReadableStreamDefaultController<Uint8Array>): boolean => {
    const events = queue
    queue = []
    for (const data of events) {
      if (data.length > maxEventCharacters) throw tooLargeEvent()
      const clean = cleanEvent(data, normalise)
      if (clean !== null) controller.enqueue(encoder.encode(`data: ${clean}\n\n`))
    }
    return events.length > 0
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      parser.feed(start)
      flush(controller)
    },
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) {
          parser.feed(decoder.decode())
          flush(controller)
          parser.feed('\n\n')
          queue = queue.filter(isJson)
          flush(controller)
          controller.close()
          return
        }
        total += value.byteLength
        if (total > maxTotalBytes)
          throw new ModelAnswerError('The model’s service sent more than 32 MiB in one answer.', false)
        parser.feed(decoder.decode(value, { stream: true }))
        if (flush(controller)) return
      }
    },
    cancel: (reason) => reader.cancel(reason)
  })
}

const tooLargeEvent = () =>
  new ModelAnswerError('The model’s service sent an event of more than 4 MiB.', false)

/** Reads on to the end of a document, within the limit for one event. */
async function rest(reader: Reader, decoder: Decoder, start: string): Promise<string> {
  let text = start
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > maxEventCharacters)
      throw new ModelAnswerError('The model’s service sent a document of more than 4 MiB.', false)
  }
}

function eventsOfDocument(text: string, normalise: Normalise): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  if (!isJson(text)) {
    const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]
    const shown = firstWords(title ?? text.replace(/<[^>]*>/g, ' '), 120)
    throw new ModelAnswerError(
      `The address of the model answered with a web page instead of a model’s answer: “${shown}”.`
    )
  }
  const document: unknown = JSON.parse(text)
  const known = z.looseObject({}).safeParse(document)
  if (!known.success || !['error', 'choices', 'type', 'object'].some((key) => key in known.data))
    throw new ModelAnswerError(
      `The model’s service answered with JSON that is no model’s answer: ${firstWords(text, 120)}`
    )
  const event = normalise(document)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
      controller.close()
    }
  })
}

function cleanEvent(data: string, normalise: Normalise): string | null {
  if (data === '[DONE]') return data
  if (!isJson(data)) return data
  const event = normalise(JSON.parse(data))
  return event === null ? null : JSON.stringify(event)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const loose = z.looseObject({})
const list = z.array(loose)

/**
 * Mends what OpenAI-compatible servers do differently: errors as strings or in vLLM's shape, a whole message where a
 * delta belongs, missing `choices`; calls are put together as `ToolCallStream` says. For one stream; `tools` are those that were offered.
 */
export function normaliseOpenAI(tools: ReadonlySet<string>): Normalise {
  const calls = new ToolCallStream(tools)
  return (event) => normaliseEvent(event, calls)
}

function normaliseEvent(event: unknown, calls: ToolCallStream): unknown {
  const parsed = loose.safeParse(event)
  if (!parsed.success) return event
  const value = parsed.data
  if (value['object'] === 'error')
    return { error: { message: textOf(value['message']), code: codeOf(value['code']) } }
  if (value['error'] !== undefined && value['error'] !== null) return { error: errorOf(value['error']) }
  const choices = list.safeParse(value['choices'])
  return {
    ...value,
    choices: choices.success ? choices.data.map((choice) => normaliseChoice(choice, calls)) : []
  }
}

function normaliseChoice(choice: z.infer<typeof loose>, calls: ToolCallStream): Record<string, unknown> {
  const given = loose.safeParse(choice['delta'] ?? choice['message'])
  const { message: _whole, ...others } = choice
  const ended = choice['finish_reason'] !== null && choice['finish_reason'] !== undefined
  if (!given.success && !ended) return others
  const delta = given.success ? given.data : {}
  const pieces = z.array(z.unknown()).safeParse(delta['tool_calls'])
  const whole = [...calls.take(pieces.success ? pieces.data : []), ...(ended ? calls.finish() : [])]
  return { ...others, delta: { ...delta, tool_calls: whole } }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const codeOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

function errorOf(error: unknown): Record<string, unknown> {
  const parsed = loose.safeParse(error)
  if (!parsed.success) return { message: textOf(error) }
  return {
    message: textOf(parsed.data['message'] ?? error),
    code: codeOf(parsed.data['code']),
    type: codeOf(parsed.data['type'])
  }
}
