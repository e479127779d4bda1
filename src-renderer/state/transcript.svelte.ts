import { SvelteMap } from 'svelte/reactivity'
import type { Activity, AppError, MessageView, PartView } from '@contract'

interface Entry {
  readonly id: string
  readonly seq: number
}

/** Neighbouring messages that are drawn, or left out, together. */
export interface Chunk {
  readonly key: number
  readonly ids: readonly string[]
}

const chunkSize = 8
/** So many messages may be held while the newest are read; beyond them only so many are kept. */
const mostHeld = 600
const keptHeld = 200

/** The messages of one session that are held, in order. */
export class Transcript {
  readonly sessionId: string
  readonly messages = new SvelteMap<string, MessageView>()
  order = $state.raw<readonly Entry[]>([])
  activity = $state.raw<Activity | null>(null)
  hasOlder = $state(false)
  loading = $state<'none' | 'first' | 'older'>('none')
  /** True once the newest page was read: from then on events keep it true. */
  loaded = $state(false)
  error = $state.raw<AppError | null>(null)

  /** Chunks keep their key and their members when older pages come in. */
  readonly chunks = $derived.by(() => {
    const chunks: { key: number; ids: string[] }[] = []
    for (const entry of this.order) {
      const key = Math.floor(entry.seq / chunkSize)
      const last = chunks.at(-1)
      if (last?.key === key) last.ids.push(entry.id)
      else chunks.push({ key, ids: [entry.id] })
    }
    return chunks as readonly Chunk[]
  })

  constructor(sessionId: string) {
    this.sessionId = sessionId
  }

  get oldestSeq(): number | undefined {
    return this.order[0]?.seq
  }

  get newest(): MessageView | undefined {
    const last = this.order.at(-1)
    return last === undefined ? undefined : this.messages.get(last.id)
  }

  put(message: MessageView): void {
    const known = this.messages.get(message.id)
    this.messages.set(message.id, message)
    if (known?.seq === message.seq) return
    const rest = known === undefined ? this.order : this.order.filter((entry) => entry.id !== message.id)
    let at = rest.length
    while (at > 0 && (rest[at - 1]?.seq ?? 0) > message.seq) at -= 1
    this.order = [...rest.slice(0, at), { id: message.id, seq: message.seq }, ...rest.slice(at)]
  }

  putAll(messages: readonly MessageView[]): void {
    for (const message of messages) this.messages.set(message.id, message)
    this.order = [...this.messages.values()].map(({ id, seq }) => ({ id, seq })).sort((a, b) => a.seq - b.seq)
  }

  /** The newest page replaces what was held: what is gone from it is gone. */
  replaceAll(messages: readonly MessageView[]): void {
    const kept = new Set(messages.map((message) => message.id))
    for (const id of [...this.messages.keys()]) if (!kept.has(id)) this.messages.delete(id)
    this.putAll(messages)
  }

  /** Lets go the oldest messages when many are held; they are read again when the reader goes back to them. */
  trim(): void {
    if (this.order.length <= mostHeld) return
    for (const { id } of this.order.slice(0, -keptHeld)) this.messages.delete(id)
    this.order = this.order.slice(-keptHeld)
    this.hasOlder = true
  }

  remove(messageId: string): void {
    if (!this.messages.delete(messageId)) return
    this.order = this.order.filter((entry) => entry.id !== messageId)
  }

  /** Adds streamed text. False when it does not join what is held: then the session is read anew. */
  append(messageId: string, index: number, offset: number, text: string): boolean {
    const message = this.messages.get(messageId)
    if (message === undefined) return false
    const part = message.parts[index]
    if (part === undefined) {
      if (index !== message.parts.length || offset !== 0) return false
      this.#setParts(message, [...message.parts, { type: 'text', text }])
      return true
    }
    if (part.type !== 'text' || offset > part.text.length) return false
    if (offset < part.text.length) return part.text.startsWith(text, offset)
    const parts = message.parts.slice()
    parts[index] = { type: 'text', text: part.text + text }
    this.#setParts(message, parts)
    return true
  }

  #setParts(message: MessageView, parts: readonly PartView[]): void {
    this.messages.set(message.id, { ...message, parts })
  }
}
