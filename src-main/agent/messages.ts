import { z } from 'zod'
import { appErrorSchema } from '../../src-preload/contract'
import type { AppError, MessageState, MessageView, NoticeOffer, PartView } from '../../src-preload/contract'
import { newId } from '../base/ids'
import { readJson } from '../base/json'
import type { Store, Tx } from '../store/store'
import { createAttachments, type NewAttachment } from './attachments'
import { notices } from './notices'
import { wellFormed } from './text'
import type { TurnUsage } from './usage'

const messageRow = z.object({
  id: z.string(),
  session_id: z.string(),
  seq: z.number(),
  role: z.enum(['user', 'assistant']),
  kind: z.enum(['turn', 'continuation', 'notice']),
  state: z.enum(['queued', 'streaming', 'done', 'error']),
  note: z.string().nullable(),
  usage: z.string().nullable(),
  created_at: z.number(),
  finished_at: z.number().nullable()
})
export type MessageRow = z.infer<typeof messageRow>

const partRow = z.object({
  message_id: z.string(),
  idx: z.number(),
  step: z.number(),
  type: z.enum(['text', 'tool_call', 'plan', 'approval', 'notice']),
  text: z.string(),
  ref: z.string().nullable(),
  data: z.string().nullable()
})
export type PartRow = z.infer<typeof partRow>

const noticeData = z.object({
  error: appErrorSchema,
  offers: z.array(z.enum(['retry', 'continue', 'settings', 'usual_model']))
})

/** Something the app says in a message's place: what happened and what the operator can do. */
export interface Notice {
  readonly error: AppError
  readonly offers: readonly NoticeOffer[]
}

/** Null when its record is damaged. */
export const noticeOf = (part: Pick<PartRow, 'data'>): Notice | null =>
  noticeData.safeParse(readJson(part.data ?? '')).data ?? null

/** A part as it is shown; what it refers to lives in its own table. */
function partView(part: PartRow): PartView {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'notice') return { type: 'notice', ...(noticeOf(part) ?? notices.unreadable()) }
  return { type: part.type, id: part.ref ?? '' }
}

export interface NewMessage {
  readonly sessionId: string
  readonly role: MessageRow['role']
  readonly kind: MessageRow['kind']
  readonly state: MessageState
  readonly text?: string
  readonly attachments?: readonly NewAttachment[]
  readonly notice?: Notice
  /** Executions whose cards it shows. */
  readonly approvals?: readonly string[]
  /** What the app tells the model before this answer; never shown as the operator's words. */
  readonly note?: string | null
}

export type Messages = ReturnType<typeof createMessages>

export function createMessages(store: Store) {
  const { db } = store
  const attachments = createAttachments(store)
  const selectOne = db.prepare('SELECT * FROM messages WHERE id = ?')
  const selectParts = db.prepare('SELECT * FROM message_parts WHERE message_id = ? ORDER BY idx')
  const insertPart = db.prepare(
    `INSERT INTO message_parts (message_id, idx, step, type, text, ref, data)
     VALUES (@message_id, (SELECT COALESCE(MAX(idx) + 1, 0) FROM message_parts WHERE message_id = @message_id),
             @step, @type, @text, @ref, @data) RETURNING idx`
  )

  const row = (id: string): MessageRow | null => {
    const raw = selectOne.get(id)
    return raw === undefined ? null : messageRow.parse(raw)
  }
  const rows = (sql: string, ...values: unknown[]): MessageRow[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((raw) => messageRow.parse(raw))
  const parts = (messageId: string): PartRow[] => selectParts.all(messageId).map((raw) => partRow.parse(raw))

  const viewOf = (message: MessageRow): MessageView => ({
    id: message.id,
    sessionId: message.session_id,
    seq: message.seq,
    role: message.role,
    kind: message.kind,
    state: message.state,
    createdAt: message.created_at,
    finishedAt: message.finished_at,
    parts: [
      ...parts(message.id).map(partView),
      ...(message.role === 'user'
        ? attachments.views(message.id).map((view) => ({ type: 'attachment' as const, ...view }))
        : [])
    ]
  })
  const view = (id: string): MessageView | null => {
    const found = row(id)
    return found && viewOf(found)
  }
  const announce = (tx: Tx, id: string): void => {
    const message = view(id)
    if (message) tx.emit({ type: 'message.changed', message })
  }
  const addPart = (
    messageId: string,
    part: { type: PartRow['type']; step: number; text?: string; ref?: string; data?: unknown }
  ): number =>
    z.object({ idx: z.number() }).parse(
      insertPart.get({
        message_id: messageId,
        step: part.step,
        type: part.type,
        text: wellFormed(part.text ?? ''),
        ref: part.ref ?? null,
        data: part.data === undefined ? null : JSON.stringify(part.data)
      })
    ).idx
  const nextSeq = (sessionId: string): number =>
    Number(
      db.prepare('SELECT COALESCE(MAX(seq) + 1, 1) FROM messages WHERE session_id = ?').pluck().get(sessionId)
    )

  return {
    row,
    parts,
    attachments: attachments.texts,
    view,
    announce,
    addPart,

    insert(tx: Tx, message: NewMessage): MessageView {
      const id = newId()
      const now = store.clock.now()
      const open = message.state === 'streaming' || message.state === 'queued'
      db.prepare(
        `INSERT INTO messages (id, session_id, seq, role, kind, state, note, created_at, finished_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
      ).run(
        id,
        message.sessionId,
        nextSeq(message.sessionId),
        message.role,
        message.kind,
        message.state,
        message.note ?? null,
        now,
        open ? null : now
      )
      if (message.text !== undefined) addPart(id, { type: 'text', step: 0, text: message.text })
      if (message.attachments) attachments.add(id, message.attachments)
      if (message.notice) addPart(id, { type: 'notice', step: 0, data: message.notice })
      for (const ref of message.approvals ?? []) addPart(id, { type: 'approval', step: 0, ref })
      announce(tx, id)
      const inserted = row(id)
      if (!inserted) throw new Error('a message vanished while it was written')
      return viewOf(inserted)
    },

    /** Appends to a text part; the offset is where the new text starts. */
    appendText(messageId: string, index: number, text: string): void {
      db.prepare('UPDATE message_parts SET text = text || ? WHERE message_id = ? AND idx = ?').run(
        text,
        messageId,
        index
      )
    },

    setState(tx: Tx, id: string, state: MessageState): void {
      const finished = state === 'done' || state === 'error' ? store.clock.now() : null
      db.prepare('UPDATE messages SET state = ?, finished_at = ? WHERE id = ?').run(state, finished, id)
      announce(tx, id)
    },

    setUsage(id: string, usage: TurnUsage): void {
      db.prepare('UPDATE messages SET usage = ? WHERE id = ?').run(JSON.stringify(usage), id)
    },

    /** The oldest message that the operator sent while a turn was running. */
    nextQueued(sessionId: string): MessageRow | null {
      return (
        rows(
          `SELECT * FROM messages WHERE session_id = ? AND state = 'queued' ORDER BY seq LIMIT 1`,
          sessionId
        )[0] ?? null
      )
    },

    /** Moves what is still queued behind everything else, keeping its order. */
    requeueBehind(tx: Tx, sessionId: string): void {
      for (const queued of rows(
        `SELECT * FROM messages WHERE session_id = ? AND state = 'queued' ORDER BY seq`,
        sessionId
      )) {
        db.prepare('UPDATE messages SET seq = ? WHERE id = ?').run(nextSeq(sessionId), queued.id)
        announce(tx, queued.id)
      }
    },

    editQueued(tx: Tx, id: string, text: string): boolean {
      const { changes } = db
        .prepare(
          `UPDATE message_parts SET text = ? WHERE message_id = ? AND idx = 0
             AND EXISTS (SELECT 1 FROM messages WHERE id = message_id AND state = 'queued')`
        )
        .run(wellFormed(text), id)
      if (changes > 0) announce(tx, id)
      return changes > 0
    },

    removeQueued(tx: Tx, id: string): boolean {
      const message = row(id)
      if (message?.state !== 'queued') return false
      db.prepare('DELETE FROM messages WHERE id = ?').run(id)
      tx.emit({ type: 'message.removed', sessionId: message.session_id, messageId: id })
      return true
    },

    /** Messages that were being written when the program last ended. */
    unfinished: (): { readonly id: string; readonly sessionId: string }[] =>
      db
        .prepare<[], { id: string; sessionId: string }>(
          `SELECT id, session_id AS sessionId FROM messages WHERE state = 'streaming' ORDER BY created_at, seq`
        )
        .all(),

    sessionsWithQueue: (): string[] =>
      z
        .array(z.string())
        .parse(db.prepare(`SELECT DISTINCT session_id FROM messages WHERE state = 'queued'`).pluck().all()),

    /** Everything said in a session up to a message, without what is queued. */
    upTo: (sessionId: string, seq: number): MessageRow[] =>
      rows(
        `SELECT * FROM messages WHERE session_id = ? AND seq <= ? AND state <> 'queued' ORDER BY seq`,
        sessionId,
        seq
      ),

    all: (sessionId: string): MessageRow[] =>
      rows('SELECT * FROM messages WHERE session_id = ? ORDER BY seq', sessionId),

    views: (sessionId: string): MessageView[] =>
      rows('SELECT * FROM messages WHERE session_id = ? ORDER BY seq', sessionId).map(viewOf),

    last: (sessionId: string): MessageRow | null =>
      rows(
        `SELECT * FROM messages WHERE session_id = ? AND state <> 'queued' ORDER BY seq DESC LIMIT 1`,
        sessionId
      )[0] ?? null,

    /** The newest `limit` messages before `beforeSeq`, oldest first. */
    page(
      sessionId: string,
      beforeSeq: number | undefined,
      limit: number
    ): { messages: MessageView[]; hasOlder: boolean } {
      const found = rows(
        'SELECT * FROM messages WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        sessionId,
        beforeSeq ?? Number.MAX_SAFE_INTEGER,
        limit + 1
      )
      return { messages: found.slice(0, limit).reverse().map(viewOf), hasOlder: found.length > limit }
    }
  }
}
