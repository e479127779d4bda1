import type { AppError, AttachmentView } from '@contract'
import { attachmentLimits } from '@contract/attachment'
import { readTextFile } from '../lib/read-file'
import { t } from '../lib/text'
import type { Client } from './client.svelte'
import { outliving } from './outliving.svelte'
import type { Store } from './store.svelte'

/** A text held beside the one that is written, so that what is written stays readable. */
export interface DraftAttachment extends AttachmentView {
  readonly text: string
}

const largePaste = { characters: 4_000, lines: 60 } as const
let nextAttachment = 0

const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length
const isLarge = (text: string): boolean =>
  text.length >= largePaste.characters || lineCount(text) >= largePaste.lines

/** What is being written in one session. It outlives the page that shows it. */
export class Draft {
  text = $state('')
  attachments = $state.raw<readonly DraftAttachment[]>([])
  /** The model that a session yet to be made begins with; null for the default one. */
  model = $state<string | null>(null)
  busy = $state(false)
  error = $state.raw<AppError | null>(null)
  #pasted = 0

  readonly empty = $derived(this.text.trim() === '' && this.attachments.length === 0)

  /** True when the paste was taken as an attachment, or is too large for anything. */
  paste(text: string): boolean {
    if (!isLarge(text)) return false
    if (this.attach(t.attachment.pasted(this.#pasted + 1), text)) this.#pasted += 1
    return true
  }

  /** False, and says why, when a limit is met. */
  attach(name: string, text: string): boolean {
    const why = this.#take(name, text)
    this.error = why === null ? null : refusal([{ name, why }])
    return why === null
  }

  /** What is not attached is named, each file of it, whatever came after it. */
  async attachFiles(files: Iterable<File>): Promise<void> {
    const refused: Refused[] = []
    for (const file of files) {
      const why = this.#full ? 'too_many' : await this.#takeFile(file)
      if (why !== null) refused.push({ name: file.name, why })
    }
    this.error = refused.length === 0 ? null : refusal(refused)
  }

  get #full(): boolean {
    return this.attachments.length >= attachmentLimits.perMessage
  }

  async #takeFile(file: File): Promise<Refused['why'] | null> {
    const read = await readTextFile(file)
    return 'refused' in read ? read.refused : this.#take(file.name, read.text)
  }

  #take(name: string, text: string): Refused['why'] | null {
    if (text.length > attachmentLimits.characters) return 'too_large'
    if (this.#full) return 'too_many'
    const attachment = {
      id: `draft ${nextAttachment++}`,
      name: name.slice(0, attachmentLimits.name),
      text,
      lines: lineCount(text),
      bytes: new TextEncoder().encode(text).length
    }
    this.attachments = [...this.attachments, attachment]
    return null
  }

  detach(id: string): void {
    this.attachments = this.attachments.filter((attachment) => attachment.id !== id)
  }

  /** Puts what was attached into the text that is written. */
  turnIntoText(id: string): void {
    const attachment = this.attachments.find((some) => some.id === id)
    if (attachment === undefined) return
    this.addText(attachment.text)
    this.detach(id)
  }

  /** Adds below what is written already: nothing that was typed is lost. */
  addText(text: string): void {
    this.text = this.text.trim() === '' ? text : `${this.text.trimEnd()}\n\n${text}`
  }

  clear(): void {
    this.text = ''
    this.attachments = []
    this.#pasted = 0
  }
}

/** A text that was not attached, and why. */
interface Refused {
  readonly name: string
  readonly why: keyof typeof t.attachment.refused
}

/** So many names are told of each reason. */
const mostNamed = 3

function refusal(refused: readonly Refused[]): AppError {
  const [first] = refused
  const code = `attachment_${first?.why ?? 'unreadable'}`
  if (first !== undefined && refused.length === 1) {
    const { message, hint } = t.attachment.refused[first.why]
    return { code, message: message(first.name), hint }
  }
  const reasons = [...new Set(refused.map(({ why }) => why))].map((why) => {
    const names = refused.filter((each) => each.why === why).map(({ name }) => name)
    return t.attachment.because(names.slice(0, mostNamed), Math.max(0, names.length - mostNamed), why)
  })
  return { code, message: t.attachment.refusedSeveral(refused.length), hint: reasons.join(' ') }
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

  /** Takes what is written in one session to another one. */
  carry(from: string | null, to: string | null): void {
    const written = this.of(from)
    if (from === to || written.empty) return
    const there = this.of(to)
    there.addText(written.text)
    there.attachments = [...there.attachments, ...written.attachments]
    written.clear()
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
      const created = await this.#client.request('session.create', { model: draft.model })
      if (!created.ok) {
        draft.error = created.error
        return null
      }
      draft.model = null
      target = created.data.id
      this.#store.sessions.set(target, created.data)
    }
    const { text, attachments } = draft
    draft.clear()
    const reply = await this.#client.request('message.send', {
      sessionId: target,
      text: text.trim(),
      attachments: attachments.map((attachment) => ({ name: attachment.name, text: attachment.text }))
    })
    if (reply.ok) {
      this.#store.transcripts.get(target)?.put(reply.data)
      return target
    }
    const home = this.of(target)
    home.addText(text)
    home.attachments = [...attachments, ...home.attachments]
    home.error = reply.error
    return sessionId === null ? target : null
  }
}

/** Puts the cursor where the operator writes. */
export const focusComposer = (): void =>
  document.querySelector<HTMLTextAreaElement>('[data-testid="composer-input"]')?.focus()
