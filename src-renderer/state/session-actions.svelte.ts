import type { SessionView } from '@contract'
import { t } from '../lib/text'
import { download } from '../lib/download'
import type { App } from './app.svelte'

/** What the operator does with a session as a whole, from its head or from the list. */
export class SessionActions {
  /** The session whose title is being edited. */
  renaming = $state<string | null>(null)
  /** The session that is to be deleted, and whether the operator is asked about it now. */
  deleting = $state.raw<SessionView | null>(null)
  asks = $state(false)
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  /** Titles are edited at the head of the conversation. */
  rename(sessionId: string): void {
    if (this.#app.nav.sessionId !== sessionId) this.#app.nav.openSession(sessionId)
    this.renaming = sessionId
  }

  async keepTitle(session: SessionView, title: string): Promise<void> {
    this.renaming = null
    const next = title.trim()
    if (next === '' || next === session.title) return
    this.#app.report(await this.#app.client.request('session.rename', { id: session.id, title: next }))
  }

  askToDelete(session: SessionView): void {
    this.deleting = session
    this.asks = true
  }

  async confirmDeletion(): Promise<void> {
    const session = this.deleting
    if (session === null) return
    const reply = await this.#app.client.request('session.delete', { id: session.id })
    this.#app.report(reply)
    if (reply.ok && this.#app.nav.sessionId === session.id) this.#app.nav.openSession(null)
  }

  async copyMarkdown(session: SessionView): Promise<void> {
    const content = await this.#export(session, 'markdown')
    if (content !== null && (await this.#app.copy(content))) this.#app.tell(t.common.copied)
  }

  /** A file that can be imported again. */
  async saveJson(session: SessionView): Promise<void> {
    const content = await this.#export(session, 'json')
    if (content !== null)
      download(`${fileName(session.title)}.nomos-session.json`, content, 'application/json')
  }

  async importFile(file: File): Promise<void> {
    const session = this.#app.report(
      await this.#app.client.request('session.import', { content: await file.text() })
    )
    if (session !== null) this.#show(session)
  }

  /** The model that the session's turns use from now on; null for the default one. */
  async chooseModel(session: SessionView, model: string | null): Promise<void> {
    if (model === session.model) return
    const changed = this.#app.report(
      await this.#app.client.request('session.set_model', { id: session.id, model })
    )
    if (changed !== null) this.#app.store.sessions.set(changed.id, changed)
  }

  /** A new session in which the agent reviews this one. */
  async review(session: SessionView): Promise<void> {
    const made = this.#app.report(await this.#app.client.request('session.create', {}))
    if (made === null) return
    this.#show(made)
    const text = t.sessions.reviewRequest(session.title, session.id)
    this.#app.report(await this.#app.client.request('message.send', { sessionId: made.id, text }))
  }

  #show(session: SessionView): void {
    this.#app.store.sessions.set(session.id, session)
    this.#app.nav.openSession(session.id)
  }

  async #export(session: SessionView, format: 'markdown' | 'json'): Promise<string | null> {
    const exported = this.#app.report(
      await this.#app.client.request('session.export', { id: session.id, format })
    )
    return exported?.content ?? null
  }
}

/** A title as every file system takes it. */
const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .slice(0, 60) || 'session'
