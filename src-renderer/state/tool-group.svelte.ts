import type { MessageState, ToolCallView } from '@contract'
import { elapsed } from '../lib/format'
import { t } from '../lib/text'

export type GroupState = 'running' | 'done' | 'failed'
export type GroupGlyph = 'running' | 'done' | 'failed' | 'stopped'

/** How long the ✓ of a call that ended stays, unless something newer comes. */
const flashTime = 600
/** Less is told as one second: `0:00` would read as if nothing had been done. */
const shortest = 1_000

const ended = (call: ToolCallView): boolean => call.state !== 'pending' && call.state !== 'running'

/**
 * What the one header over a message's tool calls says. It is told of the calls by `watch` and keeps
 * only what cannot be derived from them: whether it is open and the ✓ of the call that ended last.
 */
export class ToolGroup {
  open = $state(false)
  #calls = $state.raw<readonly ToolCallView[]>([])
  #live = $state(false)
  #flash = $state<string | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #known = new Map<string, ToolCallView['state']>()

  readonly total = $derived(this.#calls.length)
  readonly done = $derived(this.#calls.filter(ended).length)
  readonly #running = $derived(this.#calls.filter((call) => call.state === 'running'))
  readonly #failed = $derived(this.#calls.filter((call) => call.state === 'failed'))
  readonly #interrupted = $derived(this.#calls.filter((call) => call.state === 'interrupted'))
  readonly #finished = $derived(!this.#live && this.done === this.total)

  readonly state: GroupState = $derived(
    !this.#finished ? 'running' : this.#failed.length > 0 || this.#interrupted.length > 0 ? 'failed' : 'done'
  )
  readonly glyph: GroupGlyph = $derived(
    !this.#finished
      ? 'running'
      : this.#interrupted.length > 0
        ? 'stopped'
        : this.#failed.length > 0
          ? 'failed'
          : 'done'
  )
  readonly startedAt = $derived(least(this.#calls.map((call) => call.startedAt)))
  readonly endedAt = $derived(this.#finished ? most(this.#calls.map((call) => call.endedAt)) : null)
  readonly sentence = $derived(this.#sentence())

  /**
   * Takes the calls as they are now. `live` is true while more calls may follow; then a group whose
   * calls have all ended still counts as running.
   */
  watch(calls: readonly ToolCallView[], messageState: MessageState, callsAreLast: boolean): void {
    this.#live = messageState === 'streaming' && callsAreLast
    const begun = calls.some((call) => call.state === 'running' && this.#known.get(call.id) !== 'running')
    const justDone = calls.findLast((call) => call.state === 'done' && this.#wasOpen(call.id))
    this.#calls = calls
    this.#known = new Map(calls.map((call) => [call.id, call.state]))
    if (justDone !== undefined && !begun) this.#showFlash(justDone.object)
    else if (begun) this.#endFlash()
  }

  dispose(): void {
    clearTimeout(this.#timer)
  }

  #wasOpen(id: string): boolean {
    const state = this.#known.get(id)
    return state === 'running' || state === 'pending'
  }

  #showFlash(object: string): void {
    clearTimeout(this.#timer)
    this.#flash = object
    this.#timer = setTimeout(() => this.#endFlash(), flashTime)
  }

  #endFlash(): void {
    clearTimeout(this.#timer)
    this.#flash = null
  }

  #sentence(): string {
    if (this.#finished) return this.#summary()
    if (this.#flash !== null) return `✓ ${this.#flash}`
    const active = this.#running.at(-1)
    if (active === undefined) {
      const pending = this.#calls.find((call) => call.state === 'pending')
      return pending?.sentence ?? t.tools.next
    }
    const others = this.#running.length - 1
    return others > 0 ? t.tools.more(active.sentence, others) : active.sentence
  }

  #summary(): string {
    const completed = this.total - this.#interrupted.length
    if (this.#interrupted.length > 0) return t.tools.stopped(completed, this.total)
    const failed = this.#failed.at(-1)
    if (failed !== undefined) return t.tools.failed(this.#failed.length, this.total, failed.sentence)
    const time = this.startedAt === null || this.endedAt === null ? 0 : this.endedAt - this.startedAt
    return t.tools.done(this.total, elapsed(Math.max(time, shortest)))
  }
}

const known = (times: readonly (number | null)[]): number[] => times.filter((time) => time !== null)

const least = (times: readonly (number | null)[]): number | null =>
  known(times).length === 0 ? null : Math.min(...known(times))

const most = (times: readonly (number | null)[]): number | null =>
  known(times).length === 0 ? null : Math.max(...known(times))
