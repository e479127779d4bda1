import type { SequencedEvent } from '../../src-preload/contract'
import type { EventBus } from '../store/bus'

/** Hands on events in batches, one a tick: a burst costs one message between the processes. */
export function pumpEvents(bus: EventBus, send: (events: readonly SequencedEvent[]) => void): () => void {
  let waiting: SequencedEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length > 0) send(events)
  }
  return bus.subscribe((event) => {
    if (waiting.push(event) === 1) setImmediate(flush)
  })
}
