import { apply } from '../world/apply'
import type { Change, World } from '../world/types'

/** One thing that happens while a command runs, so many milliseconds after it started. */
export interface Timed {
  readonly after: number
  readonly out?: string
  readonly err?: string
  readonly change?: Change
  /** What is said and undone if the command is ended by a signal from here on. */
  readonly ifKilled?: Killed | null
}

export interface Killed {
  readonly text: string
  readonly changes: readonly Change[]
}

/** A command whose input has not ended yet: it is evaluated anew once it has. */
export class NeedsInput extends Error {}

/**
 * Plays a command in advance. Simulated programs run at once on a copy of the world, and what they print,
 * change and wait for is recorded here with its time. The record is data: it can be kept on disk and played
 * later, each event once, even when the app was closed in the middle.
 */
export class Recording {
  readonly events: Timed[] = []
  /** A shell in it said `trap '' TERM`. */
  ignoresTerm = false
  private elapsed = 0

  /** `world` is a copy that the recording may change; `startedAt` is when the first event happens. */
  constructor(
    readonly world: World,
    readonly startedAt: number,
    readonly pace: number
  ) {}

  get now(): number {
    return this.startedAt + this.elapsed
  }

  get length(): number {
    return this.elapsed
  }

  /** Work that takes so long at pace 1. */
  wait(ms: number): void {
    this.elapsed += ms * this.pace
  }

  /** Time that a script asked for; it is not sped up. */
  sleep(ms: number): void {
    this.elapsed += ms
  }

  out(text: string): void {
    if (text !== '') this.events.push({ after: this.elapsed, out: text })
  }

  err(text: string): void {
    if (text !== '') this.events.push({ after: this.elapsed, err: text })
  }

  change(change: Change): void {
    apply(this.world, change)
    this.events.push({ after: this.elapsed, change })
  }

  ifKilled(killed: Killed | null): void {
    this.events.push({ after: this.elapsed, ifKilled: killed })
  }

  /** Drops what was recorded from the moment `at` on, keeping at least `kept` events: a command that was cut short. */
  cutAt(at: number, kept: number): void {
    const limit = at - this.startedAt
    const events = this.events.filter((event, index) => index < kept || event.after <= limit)
    this.events.splice(0, this.events.length, ...events)
    this.elapsed = limit
  }

  /** A number that no other use of the lab gets: process ids, addresses. */
  number(): number {
    const next = this.world.counter + 1
    this.change({ do: 'count', to: next })
    return next
  }
}
