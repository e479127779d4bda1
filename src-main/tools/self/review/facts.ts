import type {
  ApprovalView,
  ExecutionView,
  MessageView,
  ToolCallDetail
} from '../../../../src-preload/contract'
import { bulkCalls } from '../../bulk'
import { type Cannot, cannotIn } from './cannot'

/** Everything that was kept of a session. */
export interface ReviewedRecord {
  readonly messages: readonly MessageView[]
  readonly toolCalls: readonly ToolCallDetail[]
  readonly executions: readonly ExecutionView[]
  readonly approvals: readonly ApprovalView[]
}

/** Calls of one tool. */
export interface ToolCount {
  readonly tool: string
  readonly calls: number
  readonly failed: number
}

/** The same kind of detail, asked for one by one. */
export interface OneByOne {
  readonly tool: string
  readonly calls: number
  /** The longest run of such calls without another one between them. */
  readonly inARow: number
  /** The call that returns all of it. */
  readonly bulk: string
}

/** The same thing tried again unchanged after it had failed. */
export interface Storm {
  readonly what: string
  readonly failures: number
  readonly error: string
}

/** What can be counted in the record of a session, without judging it. */
export interface SessionFacts {
  readonly turns: number
  readonly calls: number
  readonly tools: readonly ToolCount[]
  readonly oneByOne: readonly OneByOne[]
  readonly cannots: readonly Cannot[]
  /** Actions that were asked for and do not exist. */
  readonly unknownActions: readonly string[]
  readonly executions: { readonly requested: number; readonly succeeded: number; readonly failed: number }
  readonly storms: readonly Storm[]
  /** Approvals that nobody decided in time, or that wait still. */
  readonly undecided: readonly string[]
  /** The agent's question at the end, when nothing came after it. */
  readonly openQuestion: string | null
  /** Answers without a word, a card or an explanation. */
  readonly silences: number
  /** Codes of limits that were met. */
  readonly limits: readonly string[]
  /** How often the operator had to say nothing but "continue". */
  readonly continues: number
}

/** From so many calls on, asking one by one counts. */
const manyCalls = 5
const stormFailures = 3

export function factsOf(record: ReviewedRecord, actions: ReadonlySet<string>): SessionFacts {
  const { messages, toolCalls, executions, approvals } = record
  const answers = messages.filter(({ role }) => role === 'assistant')
  const notices = answers.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'notice' ? [part.error] : []))
  )
  return {
    turns: answers.filter(({ kind }) => kind !== 'notice').length,
    calls: toolCalls.length,
    tools: toolCounts(toolCalls),
    oneByOne: oneByOne(toolCalls),
    cannots: answers.flatMap((message) => cannotIn(textOf(message), message.createdAt, actions)),
    unknownActions: unknownActions(toolCalls),
    executions: {
      requested: executions.length,
      succeeded: executions.filter(({ state }) => state === 'succeeded').length,
      failed: executions.filter(({ state }) => failedStates.has(state)).length
    },
    storms: [...callStorms(toolCalls), ...executionStorms(executions)],
    undecided: approvals
      .filter(({ state }) => state === 'expired' || state === 'awaiting_approval')
      .map((approval) => titleOf(approval, executions)),
    openQuestion: openQuestion(messages),
    silences: answers.filter(isSilent).length,
    limits: notices.map(({ code }) => code).filter((code) => limitCodes.has(code)),
    continues: messages.filter((message) => message.role === 'user' && justContinue.test(textOf(message)))
      .length
  }
}

const failedStates = new Set(['failed', 'timed_out', 'lost', 'interrupted'])
const limitCodes = new Set([
  'turn_call_limit',
  'turn_time_limit',
  'context_full',
  'answer_too_long',
  'continuation_limit'
])
const justContinue = /^\s*(?:please\s+)?(?:continue|go on|keep going|weiter|mach weiter)\s*[.!]*\s*$/i

const textOf = (message: MessageView): string =>
  message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

const isSilent = ({ kind, state, parts }: MessageView): boolean =>
  kind !== 'notice' &&
  state !== 'streaming' &&
  parts.every((part) => part.type === 'tool_call' || (part.type === 'text' && part.text.trim() === ''))

function toolCounts(calls: readonly ToolCallDetail[]): ToolCount[] {
  const counts = new Map<string, { calls: number; failed: number }>()
  for (const { name, state } of calls) {
    const count = counts.get(name) ?? { calls: 0, failed: 0 }
    count.calls++
    if (state === 'failed') count.failed++
    counts.set(name, count)
  }
  return [...counts].map(([tool, count]) => ({ tool, ...count })).sort((a, b) => b.calls - a.calls)
}

/** A call counts as one by one when it names what it is about; without that it is the bulk call itself. */
const isSingle = ({ name, input }: ToolCallDetail): boolean =>
  Object.hasOwn(bulkCalls, name) &&
  typeof input === 'object' &&
  input !== null &&
  Object.keys(input).length > 0

function oneByOne(calls: readonly ToolCallDetail[]): OneByOne[] {
  const found = new Map<string, { calls: number; run: number; inARow: number }>()
  let before = ''
  for (const call of calls) {
    if (isSingle(call)) {
      const count = found.get(call.name) ?? { calls: 0, run: 0, inARow: 0 }
      count.calls++
      count.run = before === call.name ? count.run + 1 : 1
      count.inARow = Math.max(count.inARow, count.run)
      found.set(call.name, count)
    }
    before = call.name
  }
  return [...found]
    .filter(([, count]) => count.calls >= manyCalls)
    .map(([tool, { calls: all, inARow }]) => ({ tool, calls: all, inARow, bulk: bulkCalls[tool] ?? '' }))
    .sort((a, b) => b.calls - a.calls)
}

function unknownActions(calls: readonly ToolCallDetail[]): string[] {
  const names = calls.flatMap(
    ({ error }) => /action_unknown[^"“]*["“]([a-z0-9_-]+)["”]/i.exec(error ?? '')?.[1] ?? []
  )
  return [...new Set(names)]
}

/** Failures of the same call with the same arguments. */
function callStorms(calls: readonly ToolCallDetail[]): Storm[] {
  const failures = new Map<string, { name: string; times: number; error: string }>()
  for (const { name, input, state, error } of calls) {
    if (state !== 'failed') continue
    const key = `${name} ${JSON.stringify(input)}`
    const known = failures.get(key) ?? { name, times: 0, error: '' }
    failures.set(key, { name, times: known.times + 1, error: error ?? known.error })
  }
  return [...failures.values()]
    .filter(({ times }) => times >= stormFailures)
    .map(({ name, times, error }) => ({ what: name, failures: times, error }))
}

/** Failures of the same commands on the same target. */
function executionStorms(executions: readonly ExecutionView[]): Storm[] {
  const failures = new Map<string, Storm>()
  for (const { action, target, commands, state, error } of executions) {
    if (!failedStates.has(state)) continue
    const key = `${target} ${commands.map(({ text }) => text).join('\n')}`
    const known = failures.get(key)
    failures.set(key, {
      what: `${action} ${target}`,
      failures: (known?.failures ?? 0) + 1,
      error: error?.message ?? known?.error ?? ''
    })
  }
  return [...failures.values()].filter((storm) => storm.failures >= stormFailures)
}

function openQuestion(messages: readonly MessageView[]): string | null {
  const last = messages.findLast(({ kind }) => kind !== 'notice')
  if (last?.role !== 'assistant') return null
  return /([^.!?\n]+\?)\s*$/.exec(textOf(last))?.[1]?.trim() ?? null
}

const titleOf = (approval: ApprovalView, executions: readonly ExecutionView[]): string =>
  `${executions.find(({ id }) => id === approval.subject.id)?.title ?? `${approval.subject.kind} ${approval.subject.id}`} (${
    approval.state === 'expired' ? 'expired' : 'waits still'
  })`
