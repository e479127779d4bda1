import { randomInt } from 'node:crypto'
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ModelCheckStep } from '../../src-preload/contract'
import type { AppError } from '../base/result'
import type { ModelDoctor, ModelSource } from './ports'
import { type Attempt, readAnswer } from './stream'
import { tokensOf } from './compact'
import { firstWords } from './text'

type Model = Extract<Awaited<ReturnType<ModelSource['current']>>, { ok: true }>['value']['model']
type Options = Pick<LanguageModelV3CallOptions, 'prompt' | 'tools'>

const silent = { text: () => undefined, working: () => undefined }

/** Tries what the loop needs from a model, one thing after the other, and says in words what works. */
export function createModelDoctor(models: ModelSource): ModelDoctor {
  return {
    async check(name, signal) {
      const current = await models.current(name)
      if (!current.ok) return [failed('text', current.error)]
      const { model, warning, contextWindow, breaker } = current.value
      const steps: ModelCheckStep[] =
        warning === null ? [] : [{ name: 'address', ok: false, message: warning }]
      for (const step of checks) {
        if (signal.aborted) break
        steps.push(await step(model, signal, contextWindow))
      }
      if (steps.some(({ name: tried, ok }) => tried === 'text' && ok)) breaker.learn('there')
      return steps
    }
  }
}

const ask = (text: string): Options => ({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] })

const readState = {
  type: 'function' as const,
  name: 'read_state',
  description: 'Reads the state of a machine.',
  inputSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name']
  }
}
const readAll = {
  type: 'function' as const,
  name: 'read_all',
  description: 'Reads the state of all machines. Takes no arguments.',
  inputSchema: { type: 'object' as const, properties: {} }
}

const checks: readonly ((model: Model, signal: AbortSignal, window: number) => Promise<ModelCheckStep>)[] = [
  async (model, signal) => {
    const attempt = await readAnswer(model, ask('Answer with the single word: ready'), signal, silent)
    const text = attempt.type === 'answer' ? attempt.answer.text.trim() : ''
    return verdict(
      'text',
      text !== '',
      `It answers: “${firstWords(text, 60)}”.`,
      attempt,
      'It answered without any text.'
    )
  },
  async (model, signal) => {
    const options = {
      ...ask('Call the tool read_state with the name caddy. Do not write text.'),
      tools: [readState]
    }
    const attempt = await readAnswer(model, options, signal, silent)
    const works = callsOf(attempt).some((call) => call.name === 'read_state' && isObject(call.args))
    return verdict(
      'tool',
      works,
      'It calls tools.',
      attempt,
      'It did not call the tool it was asked to call. Choose a model that can use tools.'
    )
  },
  async (model, signal) => {
    const options = {
      ...ask('Call read_state twice in one answer: once with the name caddy, once with vaultwarden.'),
      tools: [readState]
    }
    const attempt = await readAnswer(model, options, signal, silent)
    const works = callsOf(attempt).length >= 2 && callsOf(attempt).every((call) => isObject(call.args))
    return verdict(
      'parallel_tools',
      works,
      'It makes several calls in one answer.',
      attempt,
      'It made one call at a time; turns take longer, but work.'
    )
  },
  async (model, signal) => {
    const options = { ...ask('Call the tool read_all. It takes no arguments.'), tools: [readAll] }
    const attempt = await readAnswer(model, options, signal, silent)
    const works = callsOf(attempt).some(
      (call) => call.name === 'read_all' && (call.args.trim() === '' || isObject(call.args))
    )
    return verdict(
      'tool_without_arguments',
      works,
      'It calls tools that take no arguments.',
      attempt,
      'It did not call a tool that takes no arguments.'
    )
  },
  async (model, signal, window) => {
    const { code, prompt, tokens } = longPrompt(window)
    const attempt = await readAnswer(model, ask(prompt), signal, silent)
    const text = attempt.type === 'answer' ? attempt.answer.text : ''
    return verdict(
      'long_prompt',
      text.includes(code),
      `It remembers the first line of a prompt of about ${tokens} tokens.`,
      attempt,
      `It has lost the first line of a prompt of about ${tokens} tokens: its server cuts long prompts without a word. Let the server give it more context (LM Studio: context length; llama.cpp: -c, shared by --parallel; vLLM: --max-model-len), or set a smaller context window here.`
    )
  },
  async (model, signal) => {
    const cancel = new AbortController()
    const stop = () => cancel.abort()
    const listener = { text: stop, working: stop }
    const attempt = await readAnswer(
      model,
      ask('Count from 1 to 200 in words.'),
      AbortSignal.any([signal, cancel.signal]),
      listener
    )
    const works = attempt.type === 'aborted'
    return verdict(
      'cancel',
      works,
      'It stops at once when it is told to.',
      attempt,
      'Its answer was over before it could be stopped.'
    )
  }
]

/** Tokens of the longest prompt that a check sends: what a conversation of some length comes to, and no more. */
const longestCheck = 24_000

/** A prompt that fills most of the window, with something at its very start that is asked for at its end. */
function longPrompt(window: number): {
  readonly code: string
  readonly prompt: string
  readonly tokens: number
} {
  const code = `amber-${randomInt(1000, 9999)}`
  const wanted = Math.min(longestCheck, Math.floor(window * 0.7))
  const lines = [`The code word is ${code}.`]
  for (let n = 1; tokensOf(lines.join('\n')) < wanted; n += 50)
    lines.push(
      ...Array.from({ length: 50 }, (_, i) => `Line ${n + i}: container ${100 + n + i} is running and well.`)
    )
  const prompt = `${lines.join('\n')}\nWhat is the code word that stands in the very first line? Answer with it alone.`
  return { code, prompt, tokens: tokensOf(prompt) }
}

const callsOf = (attempt: Attempt) => (attempt.type === 'answer' ? attempt.answer.calls : [])

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
  } catch {
    return false
  }
}

function verdict(
  name: ModelCheckStep['name'],
  works: boolean,
  good: string,
  attempt: Attempt,
  bad: string
): ModelCheckStep {
  if (works) return { name, ok: true, message: good }
  return attempt.type === 'failure' ? failed(name, attempt.failure.error) : { name, ok: false, message: bad }
}

const failed = (name: ModelCheckStep['name'], error: AppError): ModelCheckStep => ({
  ...{ name, ok: false, message: error.message },
  error
})
