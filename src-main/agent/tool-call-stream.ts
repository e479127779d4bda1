import { z } from 'zod'

const piece = z.looseObject({})

/** A call as far as its pieces have come. */
interface OpenCall {
  readonly wireIndex: number | null
  wireId: string
  name: string
  args: string
  /** Arguments that came as an object, whole or in parts. */
  object: Record<string, unknown> | null
  /** Its name was handed on; null while more of it may come. */
  sentAs: number | null
}

/**
 * Puts together the calls of one stream and hands them on as the SDK knows them: each with an index and an id of its
 * own, its name whole. Servers reuse an index or an id for several calls or leave them out, send a name in pieces, again
 * and again, or ever longer, and arguments as an object (ollama#7881, litellm#33678, vllm#28806). `known` are the names
 * of the tools that were offered: they tell a piece of a name from the name of another call.
 */
export class ToolCallStream {
  private readonly calls: OpenCall[] = []
  private sent = 0

  constructor(private readonly known: ReadonlySet<string>) {}

  /** What is to be handed on of these deltas. */
  take(deltas: readonly unknown[]): unknown[] {
    return deltas.flatMap((delta) => {
      const parsed = piece.safeParse(delta)
      return parsed.success ? this.takeOne(parsed.data) : []
    })
  }

  /** The end of the answer: what was held back. */
  finish(): unknown[] {
    return this.calls.flatMap((call) => this.send(call))
  }

  private takeOne(delta: Record<string, unknown>): unknown[] {
    const inner = piece.safeParse(delta['function'])
    const fn = inner.success ? inner.data : {}
    const index = indexOf(delta['index'])
    const id = textOf(delta['id'])
    const name = textOf(fn['name'])
    const { arguments: args } = fn
    const before = this.calls
    const current = this.callFor(index, id)
    const out: unknown[] = []
    let call = current
    if (!call || this.beginsAnother(call, id, name)) {
      if (name === '' && id === '' && args === undefined) return []
      // Earlier calls are complete now.
      out.push(...before.flatMap((each) => this.send(each)))
      call = { wireIndex: index, wireId: id, name, args: '', object: null, sentAs: null }
      this.calls.push(call)
    } else {
      if (call.wireId === '') call.wireId = id
      if (name !== '' && call.sentAs === null && call.args === '' && call.object === null)
        call.name = name.startsWith(call.name) ? name : call.name + name
    }
    if (args !== null && typeof args === 'object') call.object = { ...call.object, ...args }
    else if (typeof args === 'string' && args !== '') out.push(...this.addText(call, args))
    return out
  }

  private callFor(index: number | null, id: string): OpenCall | undefined {
    if (index !== null) {
      const here = this.calls.filter((call) => call.wireIndex === index)
      return here.findLast((call) => id !== '' && call.wireId === id) ?? here.at(-1)
    }
    return (id === '' ? undefined : this.calls.findLast((call) => call.wireId === id)) ?? this.calls.at(-1)
  }

  private beginsAnother(call: OpenCall, id: string, name: string): boolean {
    if (id !== '' && call.wireId !== '' && id !== call.wireId) return true
    if (name === '') return false
    const untouched = call.args === '' && call.object === null
    if (!untouched) return name !== call.name || isWhole(call)
    return (
      this.known.has(call.name) && this.known.has(name) && (name !== call.name || call.wireIndex === null)
    )
  }

  private addText(call: OpenCall, args: string): unknown[] {
    const out = this.send(call)
    call.args += args
    return [...out, { index: call.sentAs, function: { arguments: args } }]
  }

  /** Hands on the name, and with it arguments that came as an object. */
  private send(call: OpenCall): unknown[] {
    if (call.sentAs !== null) return []
    call.sentAs = this.sent++
    const args = call.object === null ? '' : JSON.stringify(call.object)
    const fn = { name: call.name, arguments: args }
    return [{ index: call.sentAs, id: `call_${call.sentAs}`, type: 'function', function: fn }]
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function indexOf(value: unknown): number | null {
  const index = value === null || value === undefined || value === '' ? NaN : Number(value)
  return Number.isInteger(index) ? index : null
}

function isWhole({ args, object }: OpenCall): boolean {
  if (object !== null) return true
  try {
    JSON.parse(args)
    return true
  } catch {
    return false
  }
}
