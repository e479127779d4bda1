import type { AppError, Bootstrap, SequencedEvent, SessionPage } from '@contract'
import type { Client } from './client.svelte'
import type { Store, StoreHooks } from './store.svelte'

/** Calls back once, soon: at the next frame, or by a timer while no frame is drawn. */
export type Soon = (run: () => void) => void

const hiddenDelay = 60
/** Milliseconds. */
const onTheirWay = 1_000

export const nextFrame: Soon = (run) => {
  let done = false
  const once = () => {
    if (done) return
    done = true
    run()
  }
  requestAnimationFrame(once)
  setTimeout(once, hiddenDelay)
}

/** The newest screen and a little more, so that it is there at once; older pages are larger. */
const newestPage = 24
const olderPage = 50
/** Sessions whose messages are held; what was read longer ago is read anew when it is opened. */
const heldSessions = 5

/**
 * Keeps the store true: reads everything once, then applies events in their order. A gap in their
 * numbers, or text that does not join, leads to reading anew what is shown.
 */
export class Sync {
  /** While `starting`, nothing is known yet, and requests wait for the core. */
  phase = $state<'starting' | 'ready' | 'failed'>('starting')
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  readonly #store: Store
  readonly #hooks: StoreHooks
  readonly #soon: Soon
  /** Session on the screen, read anew after a gap. */
  readonly #current: () => string | null
  readonly #begin: (boot: Bootstrap) => void
  #seq = -1
  #waiting: SequencedEvent[] = []
  #flushing = false
  #resyncing = false
  readonly #reopening = new Set<string>()
  /** The newest first. */
  #opened: readonly string[] = []

  constructor(
    client: Client,
    store: Store,
    options: {
      readonly current: () => string | null
      readonly output: StoreHooks['output']
      readonly navigate: StoreHooks['navigate']
      readonly deleted: StoreHooks['deleted']
      readonly mcp: StoreHooks['mcp']
      readonly skill: StoreHooks['skill']
      /** Told what there is before anything is shown: where does the operator begin? */
      readonly begin?: (boot: Bootstrap) => void
      readonly soon?: Soon
    }
  ) {
    this.#client = client
    this.#store = store
    this.#current = options.current
    this.#begin = options.begin ?? (() => undefined)
    this.#soon = options.soon ?? nextFrame
    this.#hooks = {
      output: options.output,
      navigate: options.navigate,
      deleted: options.deleted,
      mcp: options.mcp,
      skill: options.skill,
      reopen: (sessionId) => void this.reopen(sessionId)
    }
  }

  /** Begins to listen and reads everything. Returns how to stop listening. */
  start(): () => void {
    const stop = this.#client.onEvent((event) => this.receive(event))
    void this.resync()
    return stop
  }

  receive(event: SequencedEvent): void {
    this.#waiting.push(event)
    if (this.#flushing || this.#resyncing) return
    this.#flushing = true
    this.#soon(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  /** Reads everything anew; events that come meanwhile wait and are applied on top. */
  async resync(): Promise<void> {
    if (this.#resyncing) return
    this.#resyncing = true
    const boot = await this.#client.request('app.bootstrap', {})
    if (boot.ok && this.phase !== 'ready') this.#begin(boot.data)
    const current = this.#current()
    const page = current === null || !boot.ok ? null : await this.#openPage(current)
    this.#resyncing = false
    if (!boot.ok) {
      this.error = boot.error
      if (this.phase !== 'ready') this.phase = 'failed'
      return
    }
    this.#seq = boot.data.seq
    this.#store.reset(boot.data)
    for (const transcript of this.#store.transcripts.values()) transcript.loaded = false
    if (page !== null) this.#show(page)
    if (current !== null && !this.#store.sessions.has(current)) this.#hooks.deleted(current)
    this.error = null
    this.phase = 'ready'
    this.#flush()
  }

  /** After sleep, or when the window comes to the front: reads everything anew if an event never arrived. */
  async check(): Promise<void> {
    if (this.phase !== 'ready' || this.#resyncing) return
    const newest = await this.#client.request('app.newest_event', {})
    if (!newest.ok) return
    // Events that are on their way take no longer than this.
    setTimeout(() => {
      const heard = Math.max(this.#seq, this.#waiting.at(-1)?.seq ?? -1)
      if (heard < newest.data) void this.resync()
    }, onTheirWay)
  }

  /** Makes sure that the newest page of a session is held. */
  async open(sessionId: string): Promise<void> {
    this.#opened = [sessionId, ...this.#opened.filter((id) => id !== sessionId)]
    for (const id of this.#opened.slice(heldSessions)) this.#store.letGo(id)
    this.#opened = this.#opened.slice(0, heldSessions)
    const transcript = this.#store.transcript(sessionId)
    // The start reads the session that is on the screen.
    if (transcript.loaded || transcript.loading === 'first' || this.phase === 'starting') return
    await this.reopen(sessionId)
  }

  async reopen(sessionId: string): Promise<void> {
    if (this.#reopening.has(sessionId)) return
    this.#reopening.add(sessionId)
    const transcript = this.#store.transcript(sessionId)
    transcript.loading = 'first'
    const reply = await this.#client.request('session.open', { id: sessionId, limit: newestPage })
    this.#reopening.delete(sessionId)
    transcript.loading = 'none'
    transcript.error = reply.ok ? null : reply.error
    if (reply.ok) this.#show(reply.data)
  }

  /** Reads the page before the oldest message that is held. */
  async openOlder(sessionId: string): Promise<void> {
    const transcript = this.#store.transcript(sessionId)
    const beforeSeq = transcript.oldestSeq
    if (
      !transcript.loaded ||
      !transcript.hasOlder ||
      transcript.loading !== 'none' ||
      beforeSeq === undefined
    )
      return
    transcript.loading = 'older'
    const reply = await this.#client.request('session.open', { id: sessionId, beforeSeq, limit: olderPage })
    transcript.loading = 'none'
    if (!reply.ok) return
    this.#store.addPage(reply.data)
    transcript.putAll(reply.data.messages)
    transcript.hasOlder = reply.data.hasOlder
  }

  async #openPage(sessionId: string): Promise<SessionPage | null> {
    const reply = await this.#client.request('session.open', { id: sessionId, limit: newestPage })
    return reply.ok ? reply.data : null
  }

  #show(page: SessionPage): void {
    const transcript = this.#store.transcript(page.session.id)
    this.#store.addPage(page)
    transcript.replaceAll(page.messages)
    transcript.activity = page.activity
    transcript.hasOlder = page.hasOlder
    transcript.error = null
    transcript.loaded = true
  }

  #flush(): void {
    if (this.#resyncing || this.phase === 'starting') return
    const events = this.#waiting
    this.#waiting = []
    for (const [index, event] of events.entries()) {
      if (event.seq <= this.#seq) continue
      if (event.seq > this.#seq + 1) {
        this.#waiting = events.slice(index)
        void this.resync()
        return
      }
      this.#seq = event.seq
      this.#store.apply(event.event, this.#hooks)
    }
  }
}
