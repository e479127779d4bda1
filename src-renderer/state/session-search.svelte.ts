import type { AppError, SearchHit } from '@contract'
import type { Client } from './client.svelte'

const typingPause = 150

/** Search over all sessions, from the list of sessions. */
export class SessionSearch {
  query = $state('')
  hits = $state.raw<readonly SearchHit[] | null>(null)
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0

  constructor(client: Client) {
    this.#client = client
  }

  set(query: string): void {
    this.query = query
    clearTimeout(this.#timer)
    if (query.trim() === '') {
      this.#asked += 1
      this.hits = null
      this.error = null
      return
    }
    this.#timer = setTimeout(() => void this.#ask(), typingPause)
  }

  async #ask(): Promise<void> {
    const asked = ++this.#asked
    const reply = await this.#client.request('session.search', { query: this.query.trim() })
    if (asked !== this.#asked) return
    this.error = reply.ok ? null : reply.error
    this.hits = reply.ok ? reply.data : []
  }
}
