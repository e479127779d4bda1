import type { AppError, NomosEvent } from '@contract'
import { AnsiScreen, type AnsiLine } from '../lib/ansi'
import type { Client } from './client.svelte'
import { nextFrame, type Soon } from './sync.svelte'

type OutputEvent = Extract<NomosEvent, { type: 'execution.output' }>

const tailBytes = 65_536
const keptLines = 5_000
/** Lines that are drawn at once. */
const drawnLines = 2_000

/** The output of one execution as it is shown: its tail, kept up while it grows. */
export class Output {
  lines = $state.raw<readonly AnsiLine[]>([])
  /** Older lines that are held or on disk but not drawn. */
  earlierLines = $state(0)
  /** True when the part that is held begins after the output's beginning. */
  cutAtStart = $state(false)
  loading = $state(true)
  error = $state.raw<AppError | null>(null)
  readonly #id: string
  readonly #client: Client
  readonly #soon: Soon
  #screen = new AnsiScreen(keptLines)
  #end = -1
  #drawing = false
  #fetching = false

  constructor(id: string, client: Client, soon: Soon = nextFrame) {
    this.#id = id
    this.#client = client
    this.#soon = soon
  }

  /** Reads the tail, or everything from the beginning. */
  async load(from: 'tail' | 'beginning' = 'tail'): Promise<void> {
    const offset = from === 'beginning' ? { offset: 0, limit: 1_048_576 } : { limit: tailBytes }
    const reply = await this.#client.request('execution.output', { id: this.#id, ...offset })
    this.loading = false
    if (!reply.ok) {
      this.error = reply.error
      return
    }
    this.error = null
    this.#screen = new AnsiScreen(from === 'beginning' ? 100_000 : keptLines)
    this.#screen.write(reply.data.text)
    this.#end = reply.data.nextOffset
    this.cutAtStart = reply.data.offset > 0
    this.#drawSoon()
    if (reply.data.nextOffset < reply.data.totalBytes) await this.#catchUp()
  }

  receive(event: OutputEvent): void {
    if (this.#end < 0 || event.totalBytes <= this.#end) return
    if (event.offset !== this.#end || this.#fetching) {
      void this.#catchUp()
      return
    }
    this.#screen.write(event.text)
    this.#end = event.totalBytes
    this.#drawSoon()
  }

  /** Reads what is missing since the last byte that is held. */
  async #catchUp(): Promise<void> {
    if (this.#fetching) return
    this.#fetching = true
    for (let more = true; more;) {
      const reply = await this.#client.request('execution.output', {
        id: this.#id,
        offset: this.#end,
        limit: 1_048_576
      })
      more = reply.ok && reply.data.nextOffset > this.#end && reply.data.nextOffset < reply.data.totalBytes
      if (!reply.ok) break
      this.#screen.write(reply.data.text)
      this.#end = reply.data.nextOffset
    }
    this.#fetching = false
    this.#drawSoon()
  }

  #drawSoon(): void {
    if (this.#drawing) return
    this.#drawing = true
    this.#soon(() => {
      this.#drawing = false
      const held = this.#screen.lines
      const last = held.at(-1)
      const written = last !== undefined && last.runs.length === 0 ? held.slice(0, -1) : held
      this.lines = written.slice(-drawnLines)
      this.earlierLines = this.#screen.dropped + Math.max(0, written.length - drawnLines)
    })
  }
}

/** Outputs that are on the screen; the others are let go and read anew when they are shown again. */
export class Outputs {
  readonly #client: Client
  readonly #shown = new Map<string, { output: Output; users: number }>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Call `release` once when it is no longer shown. */
  show(id: string): { readonly output: Output; readonly release: () => void } {
    let entry = this.#shown.get(id)
    if (entry === undefined) {
      entry = { output: new Output(id, this.#client), users: 0 }
      this.#shown.set(id, entry)
      void entry.output.load()
    }
    const held = entry
    held.users += 1
    return {
      output: held.output,
      release: () => {
        held.users -= 1
        if (held.users === 0) this.#shown.delete(id)
      }
    }
  }

  receive(event: OutputEvent): void {
    this.#shown.get(event.executionId)?.output.receive(event)
  }
}
