import type BetterSqlite3 from 'better-sqlite3'

/**
 * Throws when the pages of a table do not hold together, those of the search index among them; with `sqlite_schema` the
 * list of free pages is looked at too. A check of the whole file would also have FTS5 read its index word by word, which
 * takes four seconds for 100,000 documents: what it holds can be made anew from them.
 * @see https://www.sqlite.org/pragma.html#pragma_quick_check
 */
export function assertSound(db: BetterSqlite3.Database): void {
  const tables = db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')`
    )
    .pluck()
    .all()
  for (const table of tables) {
    const check = db.pragma(`quick_check('${table}')`, { simple: true })
    if (check !== 'ok') throw new Error(`integrity check of ${table}: ${String(check)}`)
  }
}
