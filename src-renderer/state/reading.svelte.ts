import type { AppError, Reply } from '@contract'

/** Something that is read from a host when it is looked at: not yet, being read, there since, or why not. */
export class Reading<T> {
  value = $state.raw<T | null>(null)
  error = $state.raw<AppError | null>(null)
  loading = $state(false)
  readAt = $state<number | null>(null)
  readonly #ask: () => Promise<Reply<T>>
  #latest = 0

  constructor(ask: () => Promise<Reply<T>>) {
    this.#ask = ask
  }

  /** Reads it if that was not done before. */
  async first(): Promise<void> {
    if (this.readAt === null && !this.loading) await this.read()
  }

  /** Reads it anew; what is there stays on the screen meanwhile, and also when it fails. */
  async read(): Promise<void> {
    const reading = ++this.#latest
    this.loading = true
    const reply = await this.#ask()
    if (reading !== this.#latest) return
    this.loading = false
    this.readAt = Date.now()
    this.error = reply.ok ? null : reply.error
    if (reply.ok) this.value = reply.data
  }

  /** Reads it again if it was read: something has changed on the host. */
  async again(): Promise<void> {
    if (this.readAt !== null) await this.read()
  }
}
