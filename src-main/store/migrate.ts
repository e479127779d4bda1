import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type BetterSqlite3 from 'better-sqlite3'
import { fail, messageOf, ok, type Result } from '../base/result'

interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** The numbered files of `migrations/`, in order. */
function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      name,
      sql: readFileSync(join(folder, name), 'utf8')
    }))
}

/**
 * Refuses a database that a newer program has written, before anything opens it for writing: even its journal mode
 * stays as it is. Throws when the file is no database.
 */
export function refuseNewer(file: string, folder: string): Result<null> {
  const newest = readMigrations(folder).at(-1)?.version ?? 0
  const current = existsSync(file) ? versionIn(file) : 0
  if (current <= newest) return ok(null)
  return fail(
    'database_newer',
    `The database was written by a newer Nomos (version ${current}, this one knows ${newest}). Nothing was changed.`,
    'Install the newer Nomos again, or start with another NOMOS_HOME.'
  )
}

function versionIn(file: string): number {
  const db = new Database(file, { readonly: true })
  try {
    return versionOf(db)
  } finally {
    db.close()
  }
}

const versionOf = (db: BetterSqlite3.Database): number => Number(db.pragma('user_version', { simple: true }))

/** Brings the database to the newest version, each migration in a transaction of its own, after a backup. */
export function migrate(db: BetterSqlite3.Database, folder: string, backups: string): Result<number> {
  const migrations = readMigrations(folder)
  const newest = migrations.at(-1)?.version ?? 0
  const current = versionOf(db)
  const todo = migrations.filter((migration) => migration.version > current)
  if (todo.length === 0) return ok(current)
  if (current > 0) {
    const copy = join(backups, `before-${newest}-from-${current}.db`)
    mkdirSync(backups, { recursive: true, mode: 0o700 })
    if (!existsSync(copy)) db.prepare('VACUUM INTO ?').run(copy)
  }
  for (const migration of todo) {
    try {
      db.transaction(() => {
        db.exec(migration.sql)
        db.pragma(`user_version = ${migration.version}`)
      }).immediate()
    } catch (error) {
      return fail(
        'migration_failed',
        `Migration ${migration.name} failed and was rolled back: ${messageOf(error)}`,
        `The database is as it was before; a copy is in ${backups}.`
      )
    }
  }
  return ok(newest)
}
