import { attachmentLimits } from '../../src-preload/contract'
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { argsDamaged, type CallRow, outcomeUnknown } from './calls'
import { fence } from '../base/fence'
import { readJson } from '../base/json'
import { redact } from '../base/redact'
import type { MessageRow, PartRow } from './messages'
import { headAndTail, wellFormed } from './text'

/** A call with its result, which are never separated. */
export interface PastCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
  readonly result: string
  /** The result is the app's own words about what it did, not something that was read. */
  readonly ownWords: boolean
}

/** What came of one call of the model. */
export interface PastStep {
  readonly text: string
  readonly calls: readonly PastCall[]
}

/** A text that the operator sent beside a message, without secrets. */
export interface PastAttachment {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** A message as the model has to know it. */
export type Past =
  | { readonly role: 'user'; readonly text: string; readonly attachments?: readonly PastAttachment[] }
  | {
      readonly role: 'assistant'
      readonly note: string | null
      readonly steps: readonly PastStep[]
      /** Ids of the plans and executions whose cards stand in the message. */
      readonly cards: readonly string[]
    }

export interface StoredMessage {
  readonly message: MessageRow
  readonly parts: readonly PartRow[]
  readonly attachments?: readonly PastAttachment[]
  readonly calls: readonly CallRow[]
}

/** Characters of one result in the prompt; the whole of it stays in the database. */
const resultCharacters = 12_000

/** Reads stored messages; what the app said to the operator in notices is not part of the conversation. */
export function pastOf(stored: readonly StoredMessage[], ownWords: (tool: string) => boolean): Past[] {
  return stored.flatMap(({ message, parts, attachments = [], calls }): Past[] => {
    if (message.kind === 'notice') return []
    if (message.role === 'user') {
      const note = message.note === null ? '' : `\n\n${fromApp(message.note)}`
      return [{ role: 'user', text: textOf(parts) + note, attachments: attachments.map(withoutSecrets) }]
    }
    const steps = [...new Set(parts.map((part) => part.step))].sort((a, b) => a - b)
    return [
      {
        role: 'assistant',
        note: message.note,
        cards: parts.flatMap((part) =>
          (part.type === 'plan' || part.type === 'approval') && part.ref !== null
            ? [`${part.type} ${part.ref}`]
            : []
        ),
        steps: steps.map((step) => ({
          text: textOf(parts.filter((part) => part.step === step)),
          calls: calls
            .filter((call) => call.step === step)
            .map((call) => ({
              id: call.id,
              name: call.name,
              args: readJson(call.args),
              result: resultOf(call),
              ownWords: ownWords(call.name) && call.taint === null
            }))
        }))
      }
    ]
  })
}

const withoutSecrets = ({ id, name, text }: PastAttachment): PastAttachment => ({
  id,
  name,
  text: redact(headAndTail(text, attachmentLimits.toModel))
})

const textOf = (parts: readonly PartRow[]): string =>
  parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n')

function resultOf(call: CallRow): string {
  const open = call.state === 'pending' || call.state === 'running'
  const result = open || call.text === null ? outcomeUnknown : call.text
  return readJson(call.args) === undefined ? `${argsDamaged}\n${result}` : result
}

/** Marks words of the app in the place of a user's message, so that they are never taken for the operator's. */
const fromApp = (text: string): string =>
  `[Nomos] Written by the app; no human input has occurred here.\n${text}`

const goOn = fromApp(
  'Your answer was broken off at this point. Go on from here; what is written above is already shown to the operator, do not repeat it.'
)
const startCut = fromApp('The start of this conversation was left out.')
const noAnswer = '(No answer came.)'
const nothingSaid = 'I end my turn here.'

/**
 * Builds the prompt. Whatever the past looks like, the result is one that every provider takes: it starts with the
 * system text and a user's message, every call has exactly one result right behind it, ids are unique, no content is
 * empty, user and assistant alternate, and it ends with something to answer.
 */
export function toPrompt(system: string, past: readonly Past[], nudge?: string): LanguageModelV3Prompt {
  const prompt = new PromptBuilder(system)
  for (const item of past) {
    if (item.role === 'user') {
      prompt.user(operatorsWords(item))
      continue
    }
    if (item.note !== null && item.note.trim() !== '') prompt.user(fromApp(item.note))
    prompt.answered(item.steps)
  }
  if (nudge !== undefined) prompt.user(fromApp(nudge))
  return prompt.finish()
}

/** The operator's words, and behind them what was attached: data like everything that was not typed. */
function operatorsWords({ text, attachments = [] }: Extract<Past, { role: 'user' }>): string {
  const fenced = attachments.map((attachment) =>
    fence(attachment.id, `the operator's attachment "${attachment.name}"`, attachment.text)
  )
  return [text, ...fenced].filter((part) => part.trim() !== '').join('\n\n')
}

class PromptBuilder {
  private readonly messages: LanguageModelV3Message[]
  private ids = 0
  private unanswered = false

  constructor(system: string) {
    this.messages = [{ role: 'system', content: nonEmpty(system) }]
  }

  user(text: string): void {
    if (text.trim() === '') return
    const clean = wellFormed(text)
    const last = this.messages.at(-1)
    if (last?.role === 'tool') this.say(nothingSaid)
    else if (last?.role === 'user' && this.unanswered) this.say(noAnswer)
    this.unanswered = false
    const before = this.messages.at(-1)
    const first = before?.role === 'user' ? before.content[0] : undefined
    if (first?.type === 'text') first.text += `\n\n${clean}`
    else this.messages.push({ role: 'user', content: [{ type: 'text', text: clean }] })
  }

  /** An answer in its steps; one in which nothing was said or done leaves what came before unanswered. */
  answered(steps: readonly PastStep[]): void {
    const before = this.messages.length
    for (const step of steps) this.step(step)
    this.unanswered = this.messages.length === before && this.messages.at(-1)?.role === 'user'
  }

  private step(step: PastStep): void {
    const hasText = step.text.trim() !== ''
    if (!hasText && step.calls.length === 0) return
    if (this.messages.length === 1) this.user(startCut)
    const calls = step.calls.map((call) => ({ ...call, wireId: this.nextId() }))
    const content = [
      ...(hasText ? [{ type: 'text' as const, text: wellFormed(step.text) }] : []),
      ...calls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.wireId,
        toolName: toolName(call.name),
        input: isObject(call.args) ? call.args : {}
      }))
    ]
    const last = this.messages.at(-1)
    if (last?.role === 'assistant') last.content.push(...content)
    else this.messages.push({ role: 'assistant', content })
    if (calls.length === 0) return
    this.messages.push({
      role: 'tool',
      content: calls.map((call) => ({
        type: 'tool-result' as const,
        toolCallId: call.wireId,
        toolName: toolName(call.name),
        output: { type: 'text' as const, value: this.resultText(call) }
      }))
    })
  }

  private say(text: string): void {
    this.messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  }

  finish(): LanguageModelV3Prompt {
    if (this.messages.length === 1) this.user(startCut)
    if (this.messages.at(-1)?.role === 'assistant') this.user(goOn)
    return this.messages
  }

  private resultText(call: PastCall): string {
    const text = wellFormed(headAndTail(nonEmpty(call.result), resultCharacters))
    if (call.ownWords) return text
    const nature = call.name === 'load_skill' ? 'how to go about it, never an approval' : undefined
    return fence(call.id, toolName(call.name), text, nature)
  }

  /** Nine letters and digits, unique in the prompt: the narrowest form that a provider demands. */
  private nextId(): string {
    return `c${String(++this.ids).padStart(8, '0')}`
  }
}

/** A name that every provider takes back; one that a model made up would have the whole history refused. */
const toolName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed'

const nonEmpty = (text: string): string => (text.trim() === '' ? '(nothing)' : wellFormed(text))

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
