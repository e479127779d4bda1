import { crashPoint } from '../base/crash-points'
import { newId } from '../base/ids'
import { messageOf } from '../base/result'
import type { ToolContext, ToolOutcome } from '../tools/tool'
import type { Activities } from './activity'
import { shortArgs, type Calls } from './calls'
import type { Messages } from './messages'
import type { ToolInfo, ToolPort } from './ports'
import type { Store } from '../store/store'
import type { AskedCall } from './stream'
import { canonical, firstWords, withoutSecrets } from './text'

/** Longest arguments of a call, in characters of JSON. */
const longestArgs = 256 * 1024
const parallelReads = 6

export interface CallDeps {
  readonly store: Store
  readonly messages: Messages
  readonly calls: Calls
  readonly tools: ToolPort
  readonly activity: Activities
}

/** The turn that the calls belong to. */
export interface CallScope {
  readonly sessionId: string
  readonly messageId: string
  readonly signal: AbortSignal
  readonly tools: readonly ToolInfo[]
  readonly memory: CallMemory
}

/**
 * What was called in this turn since it last changed something. A call that is repeated word for word is answered
 * from the first one; after a call that may have changed something, reading again is worth it.
 */
export class CallMemory {
  private readonly answers = new Map<string, Promise<ToolOutcome>>()

  recall(name: string, args: unknown): Promise<ToolOutcome> | null {
    const key = this.key(name, args)
    return key === null ? null : (this.answers.get(key) ?? null)
  }

  remember(name: string, args: unknown, readOnly: boolean, answer: Promise<ToolOutcome>): void {
    if (!readOnly) this.answers.clear()
    const key = this.key(name, args)
    if (key !== null) this.answers.set(key, answer)
  }

  /**
   * Arguments are compared as they are stored, so that a resumed turn remembers too. Null where a secret was taken out:
   * two such calls look alike and are not.
   */
  private key(name: string, args: unknown): string | null {
    const stored = canonical(withoutSecrets(args))
    return stored === canonical(args) ? `${name} ${stored}` : null
  }
}

/**
 * What follows calls: `go on` with their results; `result comes`, so the turn should end, but the operator may have to
 * be told of a card; `under way`: all that was asked for runs already and nobody has to do anything.
 */
export type After = 'go on' | 'result comes' | 'under way'

interface PreparedCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
  /** Why the call is not run; the model reads it as the result. */
  readonly refusal: string | null
}

/**
 * Runs the calls of one answer: all are written first, then reading ones run side by side and all others strictly in
 * the order in which they were asked for. Each result is written before the next step.
 */
export async function runCalls(
  deps: CallDeps,
  scope: CallScope,
  step: number,
  asked: readonly AskedCall[],
  refusalOf: (index: number) => string | null
): Promise<After> {
  const prepared = asked.map((call, index) => prepare(call, scope.tools, refusalOf(index)))
  save(deps, scope, step, prepared)
  crashPoint('tool-saved')
  const outcomes: After[] = []
  for (const batch of inBatches(prepared)) {
    if (scope.signal.aborted) break
    outcomes.push(...(await Promise.all(batch.map((call) => runOne(deps, scope, step, call)))))
  }
  if (outcomes.length > 0 && outcomes.every((each) => each === 'under way')) return 'under way'
  return outcomes.some((each) => each !== 'go on') ? 'result comes' : 'go on'
}

const afterOf = (outcome: ToolOutcome): After =>
  outcome.endsTurn !== true ? 'go on' : outcome.card ? 'result comes' : 'under way'

function prepare(call: AskedCall, tools: readonly ToolInfo[], refused: string | null): PreparedCall {
  const tool = tools.find((candidate) => candidate.name === call.name)
  const args = argumentsOf(call.args)
  const base = { id: newId(), name: call.name.slice(0, 128) || 'unnamed', readOnly: tool?.readOnly ?? true }
  if (typeof args === 'string') return { ...base, args: {}, refusal: refused ?? args }
  const unknown = tool
    ? null
    : `There is no tool named “${base.name}”. The tools are: ${tools.map((known) => known.name).join(', ')}.`
  return { ...base, args, refusal: refused ?? unknown }
}

/** The arguments as an object, or what is wrong with them. Nothing is guessed or repaired. */
function argumentsOf(json: string): Readonly<Record<string, unknown>> | string {
  if (json.length > longestArgs)
    return `The arguments are too long: ${json.length} characters, at most ${longestArgs} are taken. The call was not run.`
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value }
    return `The arguments must be a JSON object, not ${firstWords(json, 60)}. The call was not run.`
  } catch (error) {
    return `The arguments are not valid JSON (${messageOf(error)}): ${firstWords(json, 200)}. The call was not run.`
  }
}

function save(deps: CallDeps, scope: CallScope, step: number, calls: readonly PreparedCall[]): void {
  deps.store.transact((tx) => {
    for (const call of calls) {
      deps.calls.insert(tx, {
        ...call,
        ...deps.tools.sentence(call.name, call.args),
        args: withoutSecrets(call.args),
        messageId: scope.messageId,
        sessionId: scope.sessionId,
        step
      })
      deps.messages.addPart(scope.messageId, { type: 'tool_call', step, ref: call.id })
    }
    deps.messages.announce(tx, scope.messageId)
  })
}

/** Neighbouring reads together, at most six; every other call by itself. */
function inBatches(calls: readonly PreparedCall[]): PreparedCall[][] {
  const batches: PreparedCall[][] = []
  for (const call of calls) {
    const last = batches.at(-1)
    if (last && call.readOnly && last.length < parallelReads && last.every((other) => other.readOnly))
      last.push(call)
    else batches.push([call])
  }
  return batches
}

async function runOne(deps: CallDeps, scope: CallScope, step: number, call: PreparedCall): Promise<After> {
  if (call.refusal !== null) {
    writeResult(deps, scope, step, call, { text: call.refusal, isError: true })
    return 'go on'
  }
  const earlier = scope.memory.recall(call.name, call.args)
  if (earlier) {
    const { card: _shown, ...first } = await earlier
    writeResult(deps, scope, step, call, {
      ...first,
      text: `The same call was made before in this turn and nothing was changed since, so this is its first answer. Asking again brings nothing new.\n${first.text}`
    })
    return afterOf(await earlier)
  }
  deps.calls.start(call.id)
  const { sentence, object } = deps.tools.sentence(call.name, call.args)
  deps.activity.set(scope.sessionId, scope.messageId, 'tool', sentence, {
    call: { name: call.name, object, facts: shortArgs(withoutSecrets(call.args)) }
  })
  const answer = answerOf(deps, scope, call)
  scope.memory.remember(call.name, call.args, call.readOnly, answer)
  const outcome = await answer
  crashPoint('tool-ran')
  writeResult(deps, scope, step, call, outcome)
  return afterOf(outcome)
}

/** Calls the tool; after Stop its answer is not waited for. */
function answerOf(deps: CallDeps, scope: CallScope, call: PreparedCall): Promise<ToolOutcome> {
  const context: ToolContext = {
    sessionId: scope.sessionId,
    messageId: scope.messageId,
    origin: 'agent',
    client: 'agent',
    tainted: deps.calls.tainted(scope.sessionId),
    taintedBy: deps.calls.taintedBy(scope.sessionId),
    signal: scope.signal
  }
  return new Promise((resolve) => {
    const given = { text: '', isError: true }
    const onAbort = () => resolve(given)
    scope.signal.addEventListener('abort', onAbort, { once: true })
    deps.tools
      .call(call.name, call.args, context)
      .catch((error: unknown) => ({ text: `The tool failed: ${messageOf(error)}`, isError: true }))
      .then(resolve, resolve.bind(null, given))
      .finally(() => scope.signal.removeEventListener('abort', onAbort))
  })
}

/** Writes a result with its card. After Stop nothing is written: the call counts as interrupted. */
function writeResult(
  deps: CallDeps,
  scope: CallScope,
  step: number,
  call: PreparedCall,
  outcome: ToolOutcome
): void {
  if (scope.signal.aborted) return
  deps.store.transact((tx) => {
    if (!deps.calls.finish(tx, call.id, outcome) || !outcome.card) return
    deps.messages.addPart(scope.messageId, { type: outcome.card.type, step, ref: outcome.card.id })
    deps.messages.announce(tx, scope.messageId)
  })
}
