import type { NomosEvent, SequencedEvent } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import { silentLogger, type Logger } from '../base/log'
import { messageOf } from '../base/result'

type Listener = (event: SequencedEvent) => void

/** Hands committed events to whoever listens, numbered without a gap since the program started. */
export class EventBus {
  private readonly listeners = new Set<Listener>()
  private last = 0

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger = silentLogger
  ) {}

  /** Number of the newest event. */
  get seq(): number {
    return this.last
  }

  /** What it tells is written already: a listener that fails keeps it neither from the others nor from its writer. */
  publish(event: NomosEvent): void {
    const sequenced = { seq: ++this.last, at: this.clock.now(), event }
    for (const listener of [...this.listeners])
      try {
        listener(sequenced)
      } catch (error) {
        this.log.log('error', 'events', `a listener failed: ${messageOf(error)}`, { type: event.type })
      }
  }

  /** Calls `listener` for every event until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
