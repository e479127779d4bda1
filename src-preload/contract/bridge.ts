import type { Reply } from './errors'
import type { SequencedEvent } from './events'
import type { RouteInput, RouteName, RouteOutput } from './routes'

/** What the preload script exposes to the page as `window.nomos`; nothing else is reachable. */
export interface Bridge {
  request<R extends RouteName>(route: R, input: RouteInput<R>): Promise<Reply<RouteOutput<R>>>
  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (event: SequencedEvent) => void): () => void
  readonly platform: string
}
