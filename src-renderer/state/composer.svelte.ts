import type { AppError } from '@contract'
import type { Client } from './client.svelte'
import { outliving } from './outliving.svelte'
import type { Store } from './store.svelte'

/** A large paste is held beside the text, so that the text stays readable. */
export interface Attachment {
  readonly id: number
  readonly text: string
  readonly lines: number
}

const largePaste = 4_000
let nextAttachment = 0

/** What is being written in one session. It outlives the page that shows it. */
export class Draft {
  text = $state('')
  attachments = $state.raw<readonly Attachment[]>([])
  busy = $state(false)
  error = $state.raw<AppError | null>(null)

  readonly empty = $derived(this.text.trim() === '' && this.attachments.length === 0)

  /** True when the paste was taken as an attachment. */
  paste(text: string): boolean {
    if (text.length < largePaste) return false
    const lines = text.split('\n').length
    this.attachments = [...this.attachments, { id: nextAttachment++, text, lines }]
    return true
  }

  detach(id: number): void {
    this.attachments = this.attachments.filter((attachment) => attachment.id !== id)
  }

  /** The message as it is sent: the text, then each paste in a fence longer than any inside it. */
  compose(): string {
    const fenced = this.attachments.map(({ text }) => {
      const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length))
      const fence = '`'.repeat(longest + 1)
      return `${fence}\n${text}\n${fence}`
    })
    return [this.text.trim(), ...fenced].filter((part) => part !== '').join('\n\n')
  }

  clear(): void {
    this.text = ''
    this.attachments = []
  }
}

/** The drafts of all sessions; the one without a session is written before its first message. */
export class Drafts {
  readonly #client: Client
  readonly #store: Store
  readonly #drafts = new Map<string, Draft>()

  constructor(client: Client, store: Store) {
    this.#client = client
    this.#store = store
  }

  of(sessionId: string | null): Draft {
    const key = sessionId ?? ''
    const known = this.#drafts.get(key)
    if (known !== undefined) return known
    const made = outliving(() => new Draft())
    this.#drafts.set(key, made)
    return made
  }

  /** Sends a draft; without a session one is created for it. Answers the session it went to. */
  async send(sessionId: string | null): Promise<string | null> {
    const draft = this.of(sessionId)
    if (draft.empty || draft.busy) return null
    draft.busy = true
    draft.error = null
    const sent = await this.#sendTo(sessionId, draft)
    draft.busy = false
    return sent
  }

  async #sendTo(sessionId: string | null, draft: Draft): Promise<string | null> {
    let target = sessionId
    if (target === null) {
      const created = await this.#client.request('session.create', {})
      if (!created.ok) {
        draft.error = created.error
        return null
      }
      target = created.data.id
      this.#store.sessions.set(target, created.data)
    }
    const text = draft.compose()
    draft.clear()
    const reply = await this.#client.request('message.send', { sessionId: target, text })
    if (reply.ok) {
      this.#store.transcripts.get(target)?.put(reply.data)
      return target
    }
    const home = this.of(target)
    home.text = text
    home.error = reply.error
    return sessionId === null ? target : null
  }
}
