import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { type Past, type PastCall, toPrompt } from './history'
import type { ToolInfo } from './ports'
import { firstWords, headAndTail } from './text'

/** Characters a token stands for at least, over prose, JSON and other scripts alike. */
const charactersPerToken = 3.2
/** Share of the window that is left free, as the count is an estimate. */
const margin = 0.15
const answerTokens = 4_000

/** A careful estimate of the tokens that a text takes. */
export const tokensOf = (text: string): number => Math.ceil(text.length / charactersPerToken)

export interface PromptSource {
  readonly system: string
  readonly past: readonly Past[]
  readonly nudge?: string
}

/** Tokens a model has to read at once for Nomos to work with it at all, before anything was said. */
export const neededWindow = (system: string, tools: readonly ToolInfo[]): number =>
  Math.ceil((tokensOf(system) + tokensOf(JSON.stringify(tools)) + answerTokens) / (1 - margin))

/**
 * The prompt, made to fit the model's window: results and attachments are cut first, the oldest first; then the oldest messages are
 * told in a few lines that keep plans, approvals and execution ids. A call and its result go together or stay together.
 * Null when even that is too long.
 */
export function fitPrompt(
  source: PromptSource,
  tools: readonly ToolInfo[],
  contextWindow: number
): LanguageModelV3Prompt | null {
  const room =
    contextWindow * (1 - margin) - Math.min(answerTokens, contextWindow / 4) - tokensOf(JSON.stringify(tools))
  const build = (past: readonly Past[]) => toPrompt(source.system, past, source.nudge)
  const fits = (prompt: LanguageModelV3Prompt) => tokensOf(JSON.stringify(prompt)) <= room

  for (const past of shorterAndShorter(source.past)) {
    const prompt = build(past)
    if (fits(prompt)) return prompt
  }
  return null
}

/** The past in its stages of shortening, from whole to hardly anything. */
function* shorterAndShorter(past: readonly Past[]): Generator<readonly Past[]> {
  yield past
  yield past.map((item) => cutAttachments(item, 12_000))
  yield cutResults(past, past.length - 1, 1_500)
  yield cutResults(past, past.length - 1, 300)
  const cut = cutResults(past, past.length, 300)
  yield cut
  for (let keep = cut.length - 1; keep >= 1; keep = Math.floor(keep / 2))
    yield summariseBefore(cut, cut.length - keep)
  const last = summariseBefore(cut, cut.length - 1)
  yield cutResults(last, last.length, 80)
  yield cutResults(last, last.length, 1_000, false)
  yield cutResults(last, last.length, 80, false)
}

/** Cuts every result and attachment before message `end` to `max` characters; of the last message, all but the newest step's. */
function cutResults(past: readonly Past[], end: number, max: number, spareNewest = true): Past[] {
  return past.map((item, index) => {
    if (index >= end) return item
    if (item.role === 'user') return cutAttachments(item, max)
    const newest = spareNewest && index === past.length - 1 ? item.steps.length - 1 : item.steps.length
    return {
      ...item,
      steps: item.steps.map((step, at) => ({
        ...step,
        calls:
          at >= newest
            ? step.calls
            : step.calls.map((call) => ({ ...call, result: headAndTail(call.result, max) }))
      }))
    }
  })
}

const cutAttachments = (item: Past, max: number): Past =>
  item.role === 'assistant' || item.attachments === undefined
    ? item
    : {
        ...item,
        attachments: item.attachments.map((attachment) => ({
          ...attachment,
          text: headAndTail(attachment.text, max)
        }))
      }

/** Replaces the messages before `end` by one that tells them in short. */
function summariseBefore(past: readonly Past[], end: number): Past[] {
  if (end <= 0) return [...past]
  const lines = past.slice(0, end).flatMap(summaryOf)
  const text = `[Nomos] The earlier part of this conversation, shortened by the app:\n${lines.join('\n')}`
  return [{ role: 'user', text }, ...past.slice(end)]
}

function summaryOf(item: Past): string[] {
  if (item.role === 'user') {
    const attached = (item.attachments ?? []).map(({ name }) => ` [attached: ${name}]`).join('')
    return [`- The operator: ${firstWords(item.text, 300)}${attached}`]
  }
  const calls = item.steps.flatMap((step) => step.calls)
  const said = item.steps.map((step) => step.text).join(' ')
  return [
    ...(item.note === null ? [] : [`- The app reported: ${firstWords(item.note, 400)}`]),
    ...(calls.length === 0 ? [] : [`- You called ${countedNames(calls)}`]),
    ...calls
      .filter((call) => call.ownWords)
      .map((call) => `- ${call.name} answered: ${firstWords(call.result, 200)}`),
    ...(item.cards.length === 0 ? [] : [`- Cards shown: ${item.cards.join(', ')}`]),
    ...(said.trim() === '' ? [] : [`- You said: ${firstWords(said, 300)}`])
  ]
}

function countedNames(calls: readonly PastCall[]): string {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(call.name, (counts.get(call.name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}
