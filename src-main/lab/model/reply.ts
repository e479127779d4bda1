import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { labModel } from './wire'
import type { Answer } from './talk'
import type { ChatRequest } from './wire'

/** Milliseconds at pace 1. */
const think = 350
const perWord = 14
const perPiece = 10
/** Characters of arguments in one chunk. */
const pieceLength = 24
const mostChunks = 400

const head = () => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(Date.now() / 1000),
  model: labModel
})

const callsOf = (answer: Answer) =>
  (answer.calls ?? []).map((call) => ({
    id: `call_${randomUUID().slice(0, 12)}`,
    name: call.name,
    args: JSON.stringify(call.args)
  }))

const finishOf = (answer: Answer) => ((answer.calls ?? []).length > 0 ? 'tool_calls' : 'stop')

/** Roughly four characters a token. */
function usageOf(answer: Answer, request: ChatRequest) {
  const prompt = Math.ceil(JSON.stringify(request.messages).length / 4)
  const written = Math.ceil(((answer.text ?? '').length + JSON.stringify(answer.calls ?? []).length) / 4)
  return { prompt_tokens: prompt, completion_tokens: written, total_tokens: prompt + written }
}

/** The whole answer at once. */
export function completion(answer: Answer, request: ChatRequest) {
  const calls = callsOf(answer).map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.args }
  }))
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(calls.length > 0 && { tool_calls: calls })
  }
  return {
    ...head(),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage: usageOf(answer, request)
  }
}

/** The text in chunks of a word each; of several in long texts, so that they come to an end. */
function wordsOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? []
  const together = Math.ceil(words.length / mostChunks)
  return Array.from({ length: Math.ceil(words.length / together) || 0 }, (_, index) =>
    words.slice(index * together, (index + 1) * together).join('')
  )
}

/** The answer as server-sent events: word by word, then each call's name and its arguments in pieces. */
export async function streamed(
  response: ServerResponse,
  answer: Answer,
  request: ChatRequest,
  pace: number
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const shared = head()
  const write = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`)
  const send = (delta: unknown, finish: string | null = null) =>
    write({
      ...shared,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
  const wait = (ms: number) => pause(Math.max(1, ms * pace), undefined, { signal: gone.signal })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  try {
    await wait(answer.thinkMs ?? think)
    send({ role: 'assistant', content: '' })
    for (const words of wordsOf(answer.text ?? '')) {
      send({ content: words })
      await wait(perWord)
    }
    if (answer.breaksOff) return void response.destroy()
    for (const [index, call] of callsOf(answer).entries()) {
      send({
        tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }]
      })
      for (let at = 0; at < call.args.length; at += pieceLength) {
        send({ tool_calls: [{ index, function: { arguments: call.args.slice(at, at + pieceLength) } }] })
        await wait(perPiece)
      }
    }
    send({}, finishOf(answer))
    if (request.stream_options?.include_usage)
      write({ ...shared, object: 'chat.completion.chunk', choices: [], usage: usageOf(answer, request) })
    response.end('data: [DONE]\n\n')
  } catch (error) {
    // The reader has gone: there is nobody left to tell anything.
    if (!gone.signal.aborted) throw error
  }
}
