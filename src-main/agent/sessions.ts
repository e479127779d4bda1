import { z } from 'zod'
import type { SessionState, SessionView } from '../../src-preload/contract'
import { newId } from '../base/ids'
import { fail, ok, type Result } from '../base/result'
import type { Store, Tx } from '../store/store'
import { firstWords, wellFormed } from './text'

const untitled = 'New conversation'

const row = z.object({
  id: z.string(),
  title: z.string(),
  // A state that nobody knows must not keep the others from being listed.
  state: z.enum(['idle', 'running', 'waiting', 'failed']).catch('failed'),
  created_at: z.number(),
  updated_at: z.number(),
  model: z.string().nullable(),
  bytes: z.number()
})

const viewOf = (raw: unknown): SessionView => {
  const { id, title, state, created_at, updated_at, model, bytes } = row.parse(raw)
  return { id, title, state, createdAt: created_at, updatedAt: updated_at, model, bytes }
}

/** Lengths alone are read, not the texts. */
const weighed = `
  UPDATE sessions SET bytes =
    (SELECT COALESCE(SUM(octet_length(text) + COALESCE(octet_length(data), 0)), 0) FROM message_parts
       WHERE message_id IN (SELECT id FROM messages WHERE session_id = @id))
    + (SELECT COALESCE(SUM(octet_length(args) + COALESCE(octet_length(text), 0) + COALESCE(octet_length(structured), 0)), 0)
         FROM tool_calls WHERE message_id IN (SELECT id FROM messages WHERE session_id = @id))
    + (SELECT COALESCE(SUM(bytes), 0) FROM attachments
         WHERE message_id IN (SELECT id FROM messages WHERE session_id = @id))
   WHERE id = @id`

export const sessionMissing = () =>
  fail(
    'session_not_found',
    'This conversation does not exist any more.',
    'Choose another one or start a new one.'
  )

/** The table of sessions as the rest of the agent speaks of it. */
export type Sessions = ReturnType<typeof createSessions>

export function createSessions(store: Store) {
  const { db } = store
  const select = db.prepare('SELECT * FROM sessions WHERE id = ?')

  const find = (id: string): SessionView | null => {
    const raw = select.get(id)
    return raw === undefined ? null : viewOf(raw)
  }
  const announce = (tx: Tx, id: string): void => {
    const session = find(id)
    if (session) tx.emit({ type: 'session.changed', session })
  }

  /** What the rows say: waiting for the operator, failed, or idle. */
  const restingState = (id: string): SessionState => {
    const waiting = db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM approvals WHERE session_id = @id AND state = 'awaiting_approval')
             OR EXISTS (SELECT 1 FROM continuations WHERE session_id = @id AND state = 'held')`
      )
      .pluck()
      .get({ id })
    if (waiting === 1) return 'waiting'
    const last = db
      .prepare(
        `SELECT state FROM messages WHERE session_id = ? AND role = 'assistant' ORDER BY seq DESC LIMIT 1`
      )
      .pluck()
      .get(id)
    return last === 'error' ? 'failed' : 'idle'
  }

  return {
    find,
    /** `model`: the name of the one that its turns use; null for the default one. */
    create(title = untitled, model: string | null = null): SessionView {
      const id = newId()
      return store.transact((tx) => {
        const now = store.clock.now()
        db.prepare(
          'INSERT INTO sessions (id, title, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?)'
        ).run(id, title, model, now, now)
        announce(tx, id)
        return viewOf(select.get(id))
      })
    },

    /** A session whose content comes from a file. */
    createImported(title: string): SessionView {
      return store.transact(() => {
        const { id } = this.create(title)
        db.prepare('UPDATE sessions SET imported_at = ? WHERE id = ?').run(store.clock.now(), id)
        return viewOf(select.get(id))
      })
    },

    /** What was imported stays so in a fork. */
    createFork(title: string, from: string): SessionView {
      return store.transact(() => {
        const { id } = this.create(title)
        db.prepare(
          'UPDATE sessions SET imported_at = (SELECT imported_at FROM sessions WHERE id = ?) WHERE id = ?'
        ).run(from, id)
        return viewOf(select.get(id))
      })
    },

    list(): SessionView[] {
      return db.prepare('SELECT * FROM sessions ORDER BY updated_at DESC, id DESC').all().map(viewOf)
    },

    rename(id: string, title: string): Result<SessionView> {
      return store.transact((tx) => {
        const words = firstWords(wellFormed(title), 200)
        const { changes } = db
          .prepare('UPDATE sessions SET title = ? WHERE id = ?')
          .run(words || untitled, id)
        if (changes === 0) return sessionMissing()
        announce(tx, id)
        return ok(viewOf(select.get(id)))
      })
    },

    setModel(id: string, model: string | null): Result<SessionView> {
      return store.transact((tx) => {
        if (db.prepare('UPDATE sessions SET model = ? WHERE id = ?').run(model, id).changes === 0)
          return sessionMissing()
        announce(tx, id)
        return ok(viewOf(select.get(id)))
      })
    },

    /** A further model has another name now. */
    renameModel(from: string, to: string): void {
      store.transact((tx) => {
        const ids = db.prepare<[string], string>('SELECT id FROM sessions WHERE model = ?').pluck().all(from)
        for (const id of ids) {
          db.prepare('UPDATE sessions SET model = ? WHERE id = ?').run(to, id)
          announce(tx, id)
        }
      })
    },

    /** Measures what the session holds; told with its next change. */
    weigh(id: string): void {
      db.prepare(weighed).run({ id })
    },

    remove(id: string): Result<null> {
      return store.transact((tx) => {
        if (db.prepare('DELETE FROM sessions WHERE id = ?').run(id).changes === 0) return sessionMissing()
        tx.emit({ type: 'session.deleted', sessionId: id })
        return ok(null)
      })
    },

    /** Names a session after its first message, unless it has a name, and notes that something happened in it. */
    touch(tx: Tx, id: string, firstMessage?: string): void {
      db.prepare('UPDATE sessions SET updated_at = ? WHERE id = ?').run(store.clock.now(), id)
      if (firstMessage !== undefined)
        db.prepare('UPDATE sessions SET title = ? WHERE id = ? AND title = ?').run(
          firstWords(firstMessage, 60),
          id,
          untitled
        )
      announce(tx, id)
    },

    /** Brings the state in line with the rows; `live` says whether a turn runs. */
    settle(tx: Tx, id: string, live: boolean): void {
      const state = live ? 'running' : restingState(id)
      const { changes } = db
        .prepare('UPDATE sessions SET state = @state WHERE id = @id AND state <> @state')
        .run({ id, state })
      if (changes > 0) announce(tx, id)
    }
  }
}
