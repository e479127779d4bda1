import type BetterSqlite3 from 'better-sqlite3'

/** Up to so many matches are weighed against each other; each takes about 10 µs. */
const weighed = 500

/** A document that was found. */
export interface Found {
  readonly source: 'note' | 'file' | 'message' | 'execution'
  readonly ref: string
  readonly title: string
  readonly session_id: string | null
  readonly updated_at: number
  readonly snippet: string
}

/** Finds the documents to show for an FTS5 query, best first. */
export type Search = (match: string, limit: number) => readonly Found[]

/**
 * A word in the title weighs four times as much as in the text. When so many documents match that weighing them would
 * be felt while typing, those with the words in their title come first, then the others, the newest of each first.
 */
export function createSearch(db: BetterSqlite3.Database): Search {
  const count = db
    .prepare<[string, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM documents_text WHERE documents_text MATCH ? LIMIT ?)'
    )
    .pluck()
  const select = (order: string) =>
    db.prepare<[string, number], Found>(`
      SELECT d.source, d.ref, coalesce(nullif(d.title, ''), s.title, '') AS title, d.session_id, d.updated_at,
             snippet(documents_text, 1, char(2), char(3), '…', 24) AS snippet
        FROM documents_text JOIN documents d ON d.id = documents_text.rowid LEFT JOIN sessions s ON s.id = d.session_id
       WHERE documents_text MATCH ? ORDER BY ${order} LIMIT ?`)
  const best = select('bm25(documents_text, 4.0, 1.0)')
  const newest = select('documents_text.rowid DESC')

  return (match, limit) => {
    if ((count.get(match, weighed + 1) ?? 0) <= weighed) return best.all(match, limit)
    const titled = newest.all(`title : (${match})`, limit)
    const known = new Set(titled.map(keyOf))
    const others = newest.all(match, limit).filter((found) => !known.has(keyOf(found)))
    return [...titled, ...others].slice(0, limit)
  }
}

const keyOf = ({ source, ref }: Found): string => `${source}:${ref}`
