import { join } from 'node:path'
import Database from 'better-sqlite3'

/** What the database of a home says, read beside the app. */
export function records<T>(home: string, sql: string, ...params: unknown[]): T[] {
  const db = new Database(join(home, 'nomos.db'), { readonly: true })
  try {
    return db.prepare<unknown[], T>(sql).all(...params)
  } finally {
    db.close()
  }
}
