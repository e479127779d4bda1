import type BetterSqlite3 from 'better-sqlite3'
import { createBeginnings } from './beginnings'
import { fold } from './fold'
import { mayGoOn, withLast, type Query } from './query'
import { createSnippets } from './snippet'

/** Up to so many matches are weighed against each other; each takes about 10 µs. */
const weighed = 500

/** A document that was found. */
export interface Found {
  readonly source: 'note' | 'file' | 'message' | 'execution'
  readonly ref: string
  /** A message has its session's. */
  readonly title: string
  readonly session_id: string | null
  readonly updated_at: number
  readonly snippet: string
}

type Row = Omit<Found, 'snippet'> & { readonly body: string }

/** Finds the documents to show, best first. */
export type Search = (query: Query, limit: number) => readonly Found[]

/**
 * A word in the title weighs four times as much as in the text. When so many documents match that weighing them would
 * be felt while typing, those with the words in their title come first, then the others, the newest of each first; the
 * others have the last word as it stands, if that alone is so common, for then its continuations add little and cost
 * the most.
 * @param only searches messages alone, which have no title of their own
 */
export function createSearch(db: BetterSqlite3.Database, only?: 'message'): Search {
  const beginnings = createBeginnings(db)
  const ids = (sql: string) => db.prepare<[string, number], number>(sql).pluck()
  const ofOnly = only ? `AND (SELECT source FROM documents WHERE id = documents_text.rowid) = '${only}'` : ''
  const matching = ids(
    'SELECT rowid FROM documents_text WHERE documents_text MATCH ? ORDER BY rowid DESC LIMIT ?'
  )
  const newest = only
    ? ids(
        `SELECT rowid FROM documents_text WHERE documents_text MATCH ? ${ofOnly} ORDER BY rowid DESC LIMIT ?`
      )
    : matching
  const best = ids(`
    SELECT rowid FROM documents_text
     WHERE documents_text MATCH ? ${ofOnly} AND rank MATCH 'bm25(4.0, 1.0)' ORDER BY rank LIMIT ?`)
  const titled = ids(
    'SELECT rowid FROM documents_titles WHERE documents_titles MATCH ? ORDER BY rowid DESC LIMIT ?'
  )
  const rows = db.prepare<[string], Row>(`
    SELECT d.source, d.ref, coalesce(nullif(d.title, ''), s.title, '') AS title, d.session_id, d.updated_at, d.body
      FROM json_each(?) AS wanted JOIN documents d ON d.id = wanted.value LEFT JOIN sessions s ON s.id = d.session_id
     ORDER BY wanted.key`)

  const isCommon = (match: string): boolean => matching.all(match, weighed + 1).length > weighed

  /** The query with its last word as a beginning, asked for in the way that costs the least; null if no word begins so. */
  function withContinuations(query: Query): string | null {
    const last = query.words.at(-1) ?? ''
    const words = mayGoOn(last) ? beginnings(last) : null
    if (words === null) return query.begun
    if (words.length === 0) return null
    return words.length === 1 && words[0] === fold(last) ? query.whole : withLast(query, words)
  }

  function newestOf(match: string, query: Query, limit: number): readonly number[] {
    const first = only ? [] : titled.all(query.begun, limit)
    const others = newest.all(match, limit + first.length).filter((id) => !first.includes(id))
    return [...first, ...others].slice(0, limit)
  }

  function find(query: Query, limit: number): readonly number[] {
    if (isCommon(query.whole)) return newestOf(query.whole, query, limit)
    const continued = withContinuations(query)
    if (continued === null) return []
    if (isCommon(continued)) return newestOf(continued, query, limit)
    // Weighed as a beginning, all words that begin so count as the same word.
    return best.all(continued === query.whole ? query.whole : query.begun, limit)
  }

  return (query, limit) => {
    const snippet = createSnippets(query.words)
    return rows
      .all(JSON.stringify(find(query, limit)))
      .map(({ body, ...row }) => ({ ...row, snippet: snippet(body) }))
  }
}
