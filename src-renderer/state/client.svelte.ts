import type { Bridge, Reply, RouteInput, RouteName, RouteOutput, SequencedEvent } from '@contract'
import { t } from '../lib/text'

/** The only way to the main process. A request never throws: a failure is an answer too. */
export class Client {
  readonly #bridge: Bridge

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  async request<R extends RouteName>(route: R, input: RouteInput<R>): Promise<Reply<RouteOutput<R>>> {
    try {
      // A reactive proxy cannot be cloned on its way to the main process.
      return await this.#bridge.request(route, $state.snapshot(input) as RouteInput<R>)
    } catch {
      return { ok: false, error: { code: 'no_answer', message: t.common.noAnswer } }
    }
  }

  onEvent(listener: (event: SequencedEvent) => void): () => void {
    return this.#bridge.onEvent(listener)
  }

  get platform(): string {
    return this.#bridge.platform
  }
}
