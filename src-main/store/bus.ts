import type { NomosEvent, SequencedEvent } from '../../src-preload/contract'
import type { Clock } from '../base/clock'

type Listener = (event: SequencedEvent) => void

/** Hands committed events to whoever listens, numbered without a gap since the program started. */
export class EventBus {
  private readonly listeners = new Set<Listener>()
  private last = 0

  constructor(private readonly clock: Clock) {}

  /** Number of the newest event. */
  get seq(): number {
    return this.last
  }

  publish(event: NomosEvent): void {
    const sequenced = { seq: ++this.last, at: this.clock.now(), event }
    for (const listener of [...this.listeners]) listener(sequenced)
  }

  /** Calls `listener` for every event until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
