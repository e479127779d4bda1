import { type ChatRequest, textsOf } from './wire'

/** One thing in the conversation, in its order. */
export type Item =
  /** What the operator typed. */
  | { readonly kind: 'operator'; readonly text: string }
  /** What the app tells: results, decisions. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string }
  | Call

export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** Empty while it has none. */
  readonly result: string
}

export interface PlannedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What the model says next. */
export interface Answer {
  readonly text?: string
  readonly calls?: readonly PlannedCall[]
  /** Milliseconds, at pace 1, that it thinks before. */
  readonly thinkMs?: number
  /** The connection breaks in the middle. */
  readonly breaksOff?: boolean
}

/** How an execution ended, as a note told it. */
export interface Outcome {
  readonly id: string
  readonly succeeded: boolean
  /** `failed`, `was denied by the operator`, … */
  readonly how: string
  readonly text: string
}

/** A call of `request_execution` with what came of it. */
export interface Requested {
  readonly action: string
  readonly target: string
  readonly planId: string | null
  readonly step: number | null
  /** Null when the request itself was refused. */
  readonly id: string | null
  readonly call: Call
  readonly outcome: Outcome | null
  /** It was made in the turn that runs now. */
  readonly now: boolean
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The id that a result names: by a field of that name, else the first one after the word, else the first at all. */
export function idIn(text: string, thing: 'plan' | 'execution'): string | null {
  for (const pattern of [
    `${thing}_?id["'\\s:=]+(${uuid})`,
    `\\b${thing}\\s+(${uuid})`,
    `"id"\\s*:\\s*"(${uuid})"`,
    `(${uuid})`
  ]) {
    const found = new RegExp(pattern, 'i').exec(text)
    if (found?.[1]) return found[1]
  }
  return null
}

const ended = new RegExp(
  `execution\\s+(${uuid})\\s*\\([^)\\n]*\\)\\s+(succeeded|failed|ran into its time limit|timed[_ ]out|was [a-z ]+|interrupted|lost|cancelled|denied|expired)(?::\\s*([^\\n]*))?`,
  'gi'
)
const stated = new RegExp(
  `Execution\\s+(${uuid}):\\s+(succeeded|failed|timed_out|cancelled|interrupted|lost|denied|expired)\\b([^\\n]*)`,
  'g'
)

/** Outcomes that a text tells of: notes of the app and the results of looking at executions. */
function outcomesIn(text: string): Outcome[] {
  return [...text.matchAll(ended), ...text.matchAll(stated)].map(([, id = '', how = '', rest = '']) => ({
    id,
    succeeded: how === 'succeeded',
    how,
    text: rest.trim()
  }))
}

/** A conversation as the model sees it. */
export class Talk {
  readonly items: readonly Item[]
  readonly tools: ReadonlyMap<string, unknown>

  constructor(request: ChatRequest) {
    this.items = itemsOf(request)
    this.tools = new Map((request.tools ?? []).map((tool) => [tool.function.name, tool.function.parameters]))
  }

  /** The talk from an item on. */
  from(index: number): Scene {
    return new Scene(this.items.slice(index), this.tools)
  }

  get operators(): readonly { readonly text: string; readonly index: number }[] {
    return this.items.flatMap((item, index) => (item.kind === 'operator' ? [{ text: item.text, index }] : []))
  }
}

/** The part of a talk since the operator asked for something. */
export class Scene {
  constructor(
    readonly items: readonly Item[],
    readonly tools: ReadonlyMap<string, unknown>
  ) {}

  /** What the operator asked for. */
  get request(): string {
    const [first] = this.items
    return first?.kind === 'operator' ? first.text : ''
  }

  /** What the operator typed since, the newest last. */
  get later(): readonly string[] {
    return this.items.slice(1).flatMap((item) => (item.kind === 'operator' ? [item.text] : []))
  }

  /** The items since the operator or the app spoke last: what was done in this turn. */
  get turn(): readonly Item[] {
    const start = this.items.findLastIndex((item) => item.kind === 'operator' || item.kind === 'note')
    return this.items.slice(start + 1)
  }

  /** What began this turn: the notes and words that came together. */
  get opening(): readonly Item[] {
    const end = this.items.length - this.turn.length
    const start = this.items
      .slice(0, end)
      .findLastIndex((item) => item.kind !== 'operator' && item.kind !== 'note')
    return this.items.slice(start + 1, end)
  }

  calls(name: string): readonly Call[] {
    return callsIn(this.items, name)
  }

  callsNow(name: string): readonly Call[] {
    return callsIn(this.turn, name)
  }

  get notes(): readonly string[] {
    return this.items.flatMap((item) => (item.kind === 'note' ? [item.text] : []))
  }

  get outcomes(): readonly Outcome[] {
    return this.items.flatMap((item) => {
      if (item.kind === 'note') return outcomesIn(item.text)
      return item.kind === 'call' ? outcomesIn(item.result) : []
    })
  }

  get requests(): readonly Requested[] {
    const now = new Set(this.callsNow('request_execution'))
    const { outcomes } = this
    return this.calls('request_execution').map((call) => {
      const id = refusal(call) === null ? idIn(call.result, 'execution') : null
      const { action, target, plan_id: planId, step } = call.args
      return {
        action: typeof action === 'string' ? action : '',
        target: typeof target === 'string' ? target : '',
        planId: typeof planId === 'string' ? planId : null,
        step: typeof step === 'number' ? step : null,
        id,
        call,
        outcome: outcomes.findLast((outcome) => outcome.id === id) ?? null,
        now: now.has(call)
      }
    })
  }
}

const callsIn = (items: readonly Item[], name: string): Call[] =>
  items.filter((item): item is Call => item.kind === 'call' && item.name === name)

/** What the app says when it refuses a call; null for one that it took. */
export const refusal = (call: Call): string | null =>
  /^\s*Error\s+[a-z_]+:/.test(call.result) ? call.result.trim() : null

const fromApp = /(?:^|\n)\s*\[Nomos\][^\n]*\n?/
const looksLikeNote = new RegExp(
  `^\\s*(?:\\[Nomos\\]|\\[data |<note|note:|(?:execution|plan)\\s+${uuid})`,
  'i'
)

function itemsOf({ messages }: ChatRequest): Item[] {
  const items: Item[] = []
  const results = new Map(
    messages
      .filter((m) => m.role === 'tool')
      .map((m) => [m.tool_call_id ?? '', textsOf(m.content).join('\n')])
  )
  messages.forEach((message, index) => {
    const texts = textsOf(message.content)
    if (message.role === 'user') items.push(...texts.flatMap(spoken))
    else if (message.role === 'system' && index > 0)
      items.push(...texts.map((text): Item => ({ kind: 'note', text })))
    else if (message.role === 'assistant') {
      for (const text of texts.filter((each) => each.trim() !== '')) items.push({ kind: 'said', text })
      for (const call of message.tool_calls ?? []) {
        const result = unfenced(results.get(call.id) ?? '')
        items.push({
          kind: 'call',
          name: call.function.name,
          args: argumentsOf(call.function.arguments),
          result
        })
      }
    }
  })
  return items
}

/** A user's message may end in words of the app, which are none of the operator's. */
function spoken(text: string): Item[] {
  const typed = withoutAttachments(text)
  if (looksLikeNote.test(typed)) return [{ kind: 'note', text: unfenced(typed.replace(fromApp, '\n')) }]
  const mark = fromApp.exec(typed)
  if (!mark) return typed.trim() === '' ? [] : [{ kind: 'operator', text: typed }]
  return [
    { kind: 'operator', text: typed.slice(0, mark.index) },
    { kind: 'note', text: unfenced(typed.slice(mark.index + mark[0].length)) }
  ]
}

const attached =
  /\[data (\w+) from the operator's attachment "([^"\n]*)"[^\n]*\n[\s\S]*?\n\[end of data \1\]/g

/** What is attached is data, not a request; where nothing was typed beside it, its names stand in for the words. */
function withoutAttachments(text: string): string {
  const names = [...text.matchAll(attached)].map(([, , name = '']) => name)
  const typed = text.replace(attached, '')
  return typed.trim() === '' && names.length > 0 ? `(attached: ${names.join(', ')})` : typed
}

const unfenced = (text: string): string => text.replace(/^\[(?:data|end of data) [^\]\n]*\]\n?/gm, '')

function argumentsOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
