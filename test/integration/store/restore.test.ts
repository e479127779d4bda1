import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backUp } from '../../../src-main/store/backup'
import { backupsFolder, listBackups } from '../../../src-main/store/backups'
import { stageRestore } from '../../../src-main/store/restore'
import type { Store } from '../../../src-main/store/store'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

const titles = (store: Store) => store.db.prepare('SELECT title FROM sessions ORDER BY id').pluck().all()
const addSession = (store: Store, id: string) =>
  store.db.prepare('INSERT INTO sessions (id, title, created_at, updated_at) VALUES (?, ?, 1, 1)').run(id, id)

/** A store with one session, backed up. */
async function backedUp() {
  const home = tempFolder()
  const store = testStore(home)
  addSession(store, 'before')
  const made = await backUp(store, backupsFolder(home))
  if (!made.ok) throw new Error(made.error.message)
  const [backup] = listBackups(backupsFolder(home))
  if (backup === undefined) throw new Error('no backup is listed')
  return { home, store, name: backup.name }
}

const expectRefused = (store: Store, home: string, name: string, code: string) => {
  const result = stageRestore(store, name)
  expect(result).toMatchObject({ ok: false, error: { code } })
  expect(readdirSync(home).filter((file) => file.includes('restore'))).toEqual([])
}

/** Changes a copy of the backup. */
function altered(home: string, name: string, sql: string): string {
  const file = 'altered.db'
  copyFileSync(join(backupsFolder(home), name), join(backupsFolder(home), file))
  const db = new Database(join(backupsFolder(home), file))
  db.exec(sql)
  db.close()
  return file
}

describe('a backup that is restored', () => {
  it('is there after the next start, and what was there is kept among the backups', async () => {
    const { home, store, name } = await backedUp()
    addSession(store, 'later')
    expect(stageRestore(store, name)).toMatchObject({ ok: true })
    addSession(store, 'last')
    expect(titles(store)).toEqual(['before', 'last', 'later'])
    store.close()

    const again = testStore(home)
    expect(titles(again)).toEqual(['before'])
    const kept = listBackups(backupsFolder(home)).find((backup) => backup.name.startsWith('before-restore-'))
    expect(kept).toBeDefined()
    expect(stageRestore(again, kept?.name ?? '')).toMatchObject({ ok: true })
    again.close()
    expect(titles(testStore(home))).toEqual(['before', 'last', 'later'])
  })

  it('goes on where the app was killed between the two names', async () => {
    const { home, store, name } = await backedUp()
    addSession(store, 'later')
    stageRestore(store, name)
    store.close()
    copyFileSync(join(home, 'nomos.db'), join(backupsFolder(home), 'before-restore-x.db'))
    writeFileSync(join(home, 'nomos.db'), '')
    expect(titles(testStore(home))).toEqual(['before'])
  })

  it('runs, decides and continues nothing that was open when it was made', async () => {
    const { home, store } = await backedUp()
    store.db.exec(`
      INSERT INTO executions (id, origin, action, target, host, title, params, facts, risk, commands, why, undo, hash,
        state, requested_at) VALUES
        ('asks', 'agent', 'pct_destroy', 'lxc:1', 'h', 't', '{}', '{}', 'destructive', '[]', '', '', 'x',
          'awaiting_approval', 1),
        ('runs', 'agent', 'pct_destroy', 'lxc:2', 'h', 't', '{}', '{}', 'destructive', '[]', '', '', 'y',
          'approved', 1);
      INSERT INTO approvals (id, subject_kind, subject_id, hash, risk, rule, state, requested_at, expires_at)
        VALUES ('a', 'execution', 'asks', 'x', 'destructive', 'r', 'awaiting_approval', 1, 9e15);
      INSERT INTO assent_windows (id, session_id, opened_at, expires_at, route, scope)
        VALUES ('w', 'before', 1, 9000000000000, 'chat', '[]');
      INSERT INTO continuations (id, session_id, cause, subject_id, note, state, created_at)
        VALUES ('c', 'before', 'execution', 'runs', 'n', 'pending', 1);
      INSERT INTO allowances (hash, session_id, expires_at, approval_id) VALUES ('x', 'before', 9000000000000, 'a');
    `)
    await backUp(store, backupsFolder(home))
    const [backup] = listBackups(backupsFolder(home))
    expect(stageRestore(store, backup?.name ?? '')).toMatchObject({ ok: true })
    store.close()

    const { db } = testStore(home)
    expect(db.prepare('SELECT id, state FROM executions ORDER BY id').all()).toEqual([
      { id: 'asks', state: 'expired' },
      { id: 'runs', state: 'interrupted' }
    ])
    expect(db.prepare('SELECT state FROM approvals').pluck().all()).toEqual(['expired'])
    expect(db.prepare('SELECT count(*) FROM assent_windows WHERE ended_at IS NULL').pluck().get()).toBe(0)
    expect(db.prepare('SELECT state FROM continuations').pluck().all()).toEqual(['held'])
    expect(db.prepare('SELECT count(*) FROM allowances').pluck().get()).toBe(0)
  })
})

describe('B52: what cannot be restored is refused with its reason, and nothing is changed', () => {
  it('a database of a newer version', async () => {
    const { home, store, name } = await backedUp()
    expectRefused(store, home, altered(home, name, 'PRAGMA user_version = 9999'), 'database_newer')
  })

  it('a database of another program', async () => {
    const { home, store } = await backedUp()
    const file = join(backupsFolder(home), 'other.db')
    new Database(file).exec('CREATE TABLE notes (id); PRAGMA user_version = 1').close()
    expectRefused(store, home, 'other.db', 'backup_foreign')
  })

  it('a damaged file', async () => {
    const { home, store, name } = await backedUp()
    const bytes = readFileSync(join(backupsFolder(home), name))
    bytes.fill(0x5a, 4096, 40_960)
    writeFileSync(join(backupsFolder(home), 'damaged.db'), bytes)
    writeFileSync(join(backupsFolder(home), 'text.db'), 'no database at all')
    expectRefused(store, home, 'damaged.db', 'backup_unsound')
    expectRefused(store, home, 'text.db', 'backup_unsound')
  })

  it('a path that leads out of the folder, or a link', async () => {
    const { home, store, name } = await backedUp()
    symlinkSync(join(backupsFolder(home), name), join(backupsFolder(home), 'link.db'))
    for (const wanted of ['../nomos.db', '/etc/passwd', 'link.db', 'none.db', ''])
      expectRefused(store, home, wanted, 'backup_not_found')
    expect(existsSync(join(home, 'nomos.db'))).toBe(true)
  })
})
