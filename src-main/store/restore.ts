import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type BetterSqlite3 from 'better-sqlite3'
import { fail, messageOf, ok, type Result } from '../base/result'
import { backupsFolder, listBackups } from './backups'
import { syncToDisk } from './backup'
import type { Store } from './store'

const stagedName = 'nomos.db.restore'

/** Tables that every version has; a database without them is not one of this program. */
const ours = ['sessions', 'executions', 'approvals', 'audit']

/**
 * What had not ended when the copy was made must not begin now, days later: it is closed, so that nothing is run,
 * decided or continued by an old row. The audit trail stays as it is.
 */
const closing = [
  `UPDATE executions SET state = 'interrupted', ended_at = @now,
    error = json_object('code', 'restored', 'message', 'A backup was restored: how this ended is not known.')
    WHERE state IN ('approved', 'starting', 'running', 'unknown')`,
  `UPDATE executions SET state = 'expired', ended_at = @now WHERE state = 'awaiting_approval'`,
  `UPDATE approvals SET state = 'expired', decided_at = @now WHERE state = 'awaiting_approval'`,
  `UPDATE assent_windows SET ended_at = @now, ended_why = 'restored' WHERE ended_at IS NULL`,
  `UPDATE continuations SET state = 'held', owner = NULL, lease_until = NULL
    WHERE state IN ('pending', 'claimed')`,
  `DELETE FROM allowances`
]

/**
 * Checks a copy of the backups folder and lays it ready: the next start puts it in the place of the database.
 * Nothing of the running program changes.
 * Errors: `backup_not_found`, `backup_unsound`, `backup_foreign`, `database_newer`, `restore_failed`.
 */
export function stageRestore(store: Store, name: string): Result<null> {
  const folder = backupsFolder(store.folder)
  if (!listBackups(folder).some((backup) => backup.name === name))
    return fail('backup_not_found', `There is no backup ${name}.`, 'Look into the backups folder.')
  const staged = join(store.folder, stagedName)
  const part = `${staged}.part`
  try {
    rmSync(part, { force: true })
    copyFileSync(join(folder, name), part)
    const ready = closeWhatWasOpen(part, name, Number(store.db.pragma('user_version', { simple: true })))
    if (!ready.ok) {
      rmSync(part, { force: true })
      return ready
    }
    syncToDisk(part)
    renameSync(part, staged)
    return ok(null)
  } catch (error) {
    rmSync(part, { force: true })
    return fail(
      'restore_failed',
      `The backup could not be laid ready: ${messageOf(error)}. Nothing was changed.`,
      'Is the disk full?'
    )
  }
}

/**
 * Before the database is opened: puts a copy that was laid ready in its place, and keeps what was there among the
 * backups. Ended in the middle, it goes on at the next start.
 */
export function putRestoreInPlace(home: string, now: number): void {
  const staged = join(home, stagedName)
  if (!existsSync(staged)) return
  const file = join(home, 'nomos.db')
  if (existsSync(file)) {
    const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
    mkdirSync(backupsFolder(home), { recursive: true, mode: 0o700 })
    foldLogIn(file)
    renameSync(file, join(backupsFolder(home), `before-restore-${stamp}.db`))
  }
  for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true })
  renameSync(staged, file)
}

function closeWhatWasOpen(file: string, name: string, newest: number): Result<null> {
  let db: BetterSqlite3.Database
  try {
    db = new Database(file)
    db.pragma('journal_mode = DELETE')
    db.pragma('trusted_schema = OFF')
    const check = String(db.pragma('integrity_check', { simple: true }))
    if (check !== 'ok') throw new Error(check)
  } catch (error) {
    return fail('backup_unsound', `${name} is damaged: ${messageOf(error)}. Nothing was changed.`)
  }
  try {
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > newest)
      return fail(
        'database_newer',
        `${name} was written by a newer Nomos (version ${version}, this one knows ${newest}). Nothing was changed.`,
        'Install the newer Nomos, then restore it.'
      )
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all()
    if (version < 1 || !ours.every((table) => tables.includes(table)))
      return fail('backup_foreign', `${name} is no database of Nomos. Nothing was changed.`)
    const now = Date.now()
    db.transaction(() => {
      for (const statement of closing) db.prepare(statement).run(statement.includes('@now') ? { now } : {})
    })()
    return ok(null)
  } finally {
    db.close()
  }
}

/** So that the copy that is kept is one file. A database too damaged for that is kept as it is. */
function foldLogIn(file: string): void {
  try {
    const db = new Database(file)
    db.pragma('journal_mode = DELETE')
    db.close()
  } catch {
    // It is what the restore replaces.
  }
}
