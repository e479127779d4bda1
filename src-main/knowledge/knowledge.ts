import type { Config, DocumentView, KnowledgeHit, Place } from '../../src-preload/contract'
import { newId } from '../base/ids'
import type { Logger } from '../base/log'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Store } from '../store/store'
import { readMarkdown, watchFolder } from './folders'
import type { Knowledge } from './port'
import { toQuery } from './query'
import { createSearch, type Found } from './search'

interface Row {
  readonly source: 'note' | 'file' | 'message' | 'execution'
  readonly ref: string
  readonly title: string
  readonly body: string
  readonly session_id: string | null
  readonly updated_at: number
}

export interface KnowledgeOptions {
  readonly store: Store
  readonly folders: () => Config['knowledge']['folders']
  readonly log: Logger
}

/** The knowledge service with what only the composition root needs beside the port. */
export interface KnowledgeService extends Knowledge {
  /** Reads the watched folders anew; called at start and when the configuration changes. */
  refreshFolders(): Promise<void>
  close(): void
}

export function createKnowledge({ store, folders, log }: KnowledgeOptions): KnowledgeService {
  const { db } = store
  const find = createSearch(db)
  const findMessages = createSearch(db, 'message')
  const newest = db.prepare<[number], Row>(
    `SELECT * FROM documents WHERE source IN ('note', 'file') ORDER BY updated_at DESC LIMIT ?`
  )
  const one = db.prepare<[string, string], Row>('SELECT * FROM documents WHERE source = ? AND ref = ?')
  const put = db.prepare(`
    INSERT INTO documents (source, ref, title, body, updated_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (source, ref) DO UPDATE SET title = excluded.title, body = excluded.body, updated_at = excluded.updated_at
      WHERE title <> excluded.title OR body <> excluded.body`)
  const drop = db.prepare('DELETE FROM documents WHERE source = ? AND ref = ?')
  const fileRefs = db.prepare<[], { ref: string }>(`SELECT ref FROM documents WHERE source = 'file'`)
  let unwatch: (() => void)[] = []

  async function refreshFolders(): Promise<void> {
    for (const stop of unwatch) stop()
    unwatch = []
    const seen = new Set<string>()
    for (const folder of folders()) {
      try {
        const files = await readMarkdown(folder)
        store.transact(() => {
          for (const file of files) {
            seen.add(file.path)
            put.run('file', file.path, file.title, file.body, file.changedAt)
          }
        })
        unwatch.push(watchFolder(folder, () => void refreshFolders(), log))
      } catch (error) {
        log.log('warn', 'knowledge', 'folder cannot be read', { reason: messageOf(error) })
      }
    }
    store.transact(() => {
      for (const { ref } of fileRefs.all()) if (!seen.has(ref)) drop.run('file', ref)
    })
  }

  const hitOf = (row: Found): KnowledgeHit => ({
    id: `${row.source}:${row.ref}`,
    title: row.title,
    source: row.source === 'message' ? 'session' : row.source,
    place: placeOf(row),
    snippet: row.snippet,
    updatedAt: row.updated_at
  })

  return {
    search(query, limit) {
      const words = toQuery(query)
      return words === null ? [] : find(words, limit).map(hitOf)
    },
    searchMessages(query, limit) {
      const words = toQuery(query)
      if (words === null) return []
      return findMessages(words, limit).map((row) => ({
        sessionId: row.session_id ?? '',
        sessionTitle: row.title,
        messageId: row.ref,
        snippet: row.snippet,
        at: row.updated_at
      }))
    },
    list: (limit) => newest.all(limit).map((row) => hitOf({ ...row, snippet: row.body.slice(0, 160) })),
    get(id): Result<DocumentView> {
      const [, source, ref] = /^(note|file):(.+)$/s.exec(id) ?? []
      const row = source !== undefined && ref !== undefined ? one.get(source, ref) : undefined
      return row && (row.source === 'note' || row.source === 'file')
        ? ok(documentOf(id, row.source, row))
        : fail('document_not_found', 'There is no such document; it may have been removed.')
    },
    saveNote(note): Result<DocumentView> {
      const ref = note.id?.replace(/^note:/, '') ?? newId()
      if (note.id !== undefined && !one.get('note', ref))
        return fail('document_not_found', 'There is no such note.')
      store.transact(() => put.run('note', ref, note.title, note.body, store.clock.now()))
      return this.get(`note:${ref}`)
    },
    deleteNote(id): Result<null> {
      const removed = store.transact(() => drop.run('note', id.replace(/^note:/, '')).changes)
      return removed > 0 ? ok(null) : fail('document_not_found', 'There is no such note.')
    },
    refreshFolders,
    close() {
      for (const stop of unwatch) stop()
      unwatch = []
    }
  }
}

function placeOf({ source, ref, session_id }: Found): Place | null {
  if (source === 'execution') return { page: 'ops', executionId: ref }
  if (source !== 'message' || session_id === null) return null
  return { page: 'chat', sessionId: session_id, messageId: ref }
}

const documentOf = (id: string, source: 'note' | 'file', row: Row): DocumentView => ({
  id,
  title: row.title,
  source,
  path: source === 'file' ? row.ref : null,
  body: row.body,
  updatedAt: row.updated_at
})
