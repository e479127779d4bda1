import type BetterSqlite3 from 'better-sqlite3'
import type { Query } from './query'

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

type Row = Found & { readonly id: number }

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
  const count = db
    .prepare<[string, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM documents_text WHERE documents_text MATCH ? LIMIT ?)'
    )
    .pluck()
  const isCommon = (match: string): boolean => (count.get(match, weighed + 1) ?? 0) > weighed
  const found = `
    SELECT d.id, d.source, d.ref, coalesce(nullif(d.title, ''), s.title, '') AS title, d.session_id, d.updated_at,
           snippet(documents_text, 1, char(2), char(3), '…', 24) AS snippet
      FROM documents_text JOIN documents d ON d.id = documents_text.rowid LEFT JOIN sessions s ON s.id = d.session_id
     WHERE documents_text MATCH ? ${only ? `AND d.source = '${only}'` : ''}`
  // Sorted by `rank`, FTS5 makes a snippet only for what is left after the limit; sorted by bm25() it would for all.
  const best = db.prepare<[string, number], Row>(
    `${found} AND rank MATCH 'bm25(4.0, 1.0)' ORDER BY rank LIMIT ?`
  )
  const newest = db.prepare<[string, string, number], Row>(
    `${found} AND d.id NOT IN (SELECT value FROM json_each(?)) ORDER BY documents_text.rowid DESC LIMIT ?`
  )
  const newestBut = (known: readonly Row[], match: string, limit: number): Row[] =>
    newest.all(match, JSON.stringify(known.map(({ id }) => id)), limit)

  return ({ begun, whole }, limit) => {
    const common = [whole, begun].find(isCommon)
    if (common === undefined) return best.all(begun, limit)
    // Asked for in the whole document too, the words are marked in the text as well.
    const titled = only ? [] : newestBut([], `(title : (${begun})) AND (${begun})`, limit)
    return [...titled, ...newestBut(titled, common, limit - titled.length)]
  }
}
