import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Store } from './store'

const dayMs = 24 * 60 * 60_000
const keep = 7

/**
 * Writes a whole, checked copy of the database into `folder`, named after the day, and keeps the newest seven.
 * A copy is only given its name once it is complete and sound, so a torn one is never taken for a backup.
 * Secrets are not in the database and so not in the copy.
 */
export async function backUp(store: Store, folder: string): Promise<Result<string>> {
  const file = join(folder, `nomos-${new Date(store.clock.now()).toISOString().slice(0, 10)}.db`)
  const part = `${file}.part`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(part, { force: true })
    closeSync(openSync(part, 'w', 0o600))
    await store.db.backup(part)
    const fault = soundness(part)
    if (fault !== null) return fail('backup_unsound', `The copy of the database is not sound: ${fault}.`)
    syncToDisk(part)
    renameSync(part, file)
    for (const old of backupsIn(folder).slice(0, -keep)) rmSync(join(folder, old))
    return ok(file)
  } catch (error) {
    return fail(
      'backup_failed',
      `The database could not be backed up: ${messageOf(error)}`,
      'Is the disk full?',
      { why: messageOf(error) }
    )
  }
}

/** Backs up when the newest copy is older than a day; then every day until the returned function is called. */
export function backUpDaily(
  store: Store,
  folder: string,
  told: (result: Result<string>) => void
): () => void {
  const today = () => `nomos-${new Date(store.clock.now()).toISOString().slice(0, 10)}.db`
  const run = () => {
    if (!existsSync(join(folder, today()))) void backUp(store, folder).then(told)
  }
  run()
  const timer = setInterval(run, dayMs / 24)
  timer.unref()
  return () => clearInterval(timer)
}

const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^nomos-\d{4}-\d{2}-\d{2}\.db$/.test(name))
    .sort()

function soundness(file: string): string | null {
  const copy = new Database(file)
  try {
    // One file, without a log beside it, until it is opened as a database again.
    copy.pragma('journal_mode = DELETE')
    const result = String(copy.pragma('integrity_check', { simple: true }))
    return result === 'ok' ? null : result
  } finally {
    copy.close()
  }
}

/** What was written to the file survives a power cut. */
export function syncToDisk(file: string): void {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
