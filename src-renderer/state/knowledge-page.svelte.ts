import type { AppError, DocumentView, KnowledgeHit, RefusedSkill, SkillView } from '@contract'
import type { Client } from './client.svelte'

const typingPause = 150

/** A note while it is written; `id` is null until it was saved once. */
export interface NoteDraft {
  readonly id: string | null
  title: string
  body: string
}

/** What is searched, read and written on the Knowledge page. */
export class KnowledgePage {
  tab = $state<'documents' | 'skills'>('documents')
  query = $state('')
  hits = $state.raw<readonly KnowledgeHit[]>([])
  documents = $state.raw<readonly KnowledgeHit[]>([])
  skills = $state.raw<readonly SkillView[]>([])
  refused = $state.raw<readonly RefusedSkill[]>([])
  skill = $state.raw<SkillView | null>(null)
  document = $state.raw<DocumentView | null>(null)
  draft = $state<NoteDraft | null>(null)
  loaded = $state(false)
  searching = $state(false)
  saving = $state(false)
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0

  constructor(client: Client) {
    this.#client = client
  }

  async read(): Promise<void> {
    const [documents, skills] = await Promise.all([
      this.#client.request('knowledge.list', {}),
      this.#client.request('skill.list', {})
    ])
    this.loaded = true
    this.error = !documents.ok ? documents.error : !skills.ok ? skills.error : null
    if (documents.ok) this.documents = documents.data
    if (!skills.ok) return
    this.skills = skills.data.skills
    this.refused = skills.data.refused
    if (this.skill !== null) this.skill = this.skills.find(({ name }) => name === this.skill?.name) ?? null
  }

  /** Lets the agent read a skill as it stands on the screen, or no longer. */
  async allow(skill: SkillView, allowed: boolean): Promise<void> {
    const reply = await this.#client.request('skill.allow', { name: skill.name, hash: skill.hash, allowed })
    if (reply.ok) return this.putSkill(reply.data)
    // It was edited meanwhile: what is there now is shown, with why nothing was allowed.
    await this.read()
    this.error = reply.error
  }

  putSkill(skill: SkillView): void {
    this.skills = this.skills.map((each) => (each.name === skill.name ? skill : each))
    if (this.skill?.name === skill.name) this.skill = skill
    this.error = null
  }

  search(query: string): void {
    this.query = query
    this.tab = 'documents'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), typingPause)
  }

  async open(id: string): Promise<void> {
    const reply = await this.#client.request('knowledge.get', { id })
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    this.draft = null
    this.document = reply.data
  }

  write(): void {
    this.draft = { id: null, title: '', body: '' }
  }

  edit(document: DocumentView): void {
    this.draft = { id: document.id, title: document.title, body: document.body }
  }

  async save(): Promise<void> {
    const draft = this.draft
    if (draft === null || this.saving) return
    this.saving = true
    const reply = await this.#client.request('knowledge.save_note', {
      title: draft.title.trim(),
      body: draft.body,
      ...(draft.id === null ? {} : { id: draft.id })
    })
    this.saving = false
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    this.draft = null
    this.document = reply.data
    await this.read()
  }

  async remove(id: string): Promise<void> {
    const reply = await this.#client.request('knowledge.delete_note', { id })
    this.error = reply.ok ? null : reply.error
    if (!reply.ok) return
    this.document = null
    await this.read()
  }

  async #ask(): Promise<void> {
    const query = this.query.trim()
    const asked = ++this.#asked
    if (query === '') {
      this.hits = []
      return
    }
    this.searching = true
    const reply = await this.#client.request('knowledge.search', { query })
    if (asked !== this.#asked) return
    this.searching = false
    this.error = reply.ok ? null : reply.error
    this.hits = reply.ok ? reply.data : []
  }
}
