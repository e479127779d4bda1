import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { NomosEvent, SessionView } from '../../../src-preload/contract'
import { systemClock } from '../../../src-main/base/clock'
import { openStore } from '../../../src-main/store/store'
import { migrationsFolder, testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

const session = (id: string): SessionView => ({
  ...{ id, title: id, state: 'idle', createdAt: 1, updatedAt: 1 },
  ...{ model: null, bytes: 0 }
})
const changed = (id: string): NomosEvent => ({ type: 'session.changed', session: session(id) })
const insert = 'INSERT INTO sessions (id, title, created_at, updated_at) VALUES (?, ?, 1, 1)'

const read = (file: string): string => (existsSync(file) ? readFileSync(file).toString('base64') : 'none')

describe('a change of state', () => {
  it('is committed before it is shown', () => {
    const store = testStore()
    const seen: number[] = []
    store.bus.subscribe(() =>
      seen.push(Number(store.db.prepare('SELECT count(*) FROM sessions').pluck().get()))
    )
    store.transact((tx) => {
      tx.emit(changed('a'))
      store.db.prepare(insert).run('a', 'a')
      expect(seen).toEqual([])
    })
    expect(seen).toEqual([1])
  })

  it('that fails leaves neither rows nor events', () => {
    const store = testStore()
    const seen: NomosEvent[] = []
    store.bus.subscribe(({ event }) => seen.push(event))
    expect(() =>
      store.transact((tx) => {
        store.db.prepare(insert).run('a', 'a')
        tx.emit(changed('a'))
        throw new Error('no')
      })
    ).toThrow('no')
    expect(seen).toEqual([])
    expect(store.db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(0)
    expect(store.db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(0)
  })

  it('reaches every listener and what follows the commit, also when a listener fails', () => {
    const store = testStore()
    const seen: string[] = []
    store.bus.subscribe(() => {
      throw new Error('a window that is gone')
    })
    store.bus.subscribe(({ event }) => seen.push(event.type))
    store.transact((tx) => {
      tx.afterCommit(() => seen.push('after'))
      tx.emit(changed('a'))
    })
    expect(seen).toEqual(['session.changed', 'after'])
  })

  it('is numbered without a gap, also when transactions are nested', () => {
    const store = testStore()
    const seqs: number[] = []
    store.bus.subscribe(({ seq }) => seqs.push(seq))
    store.transact((outer) => {
      outer.emit(changed('a'))
      store.transact((inner) => inner.emit(changed('b')))
    })
    store.announce(changed('c'))
    expect(seqs).toEqual([1, 2, 3])
  })
})

describe('F30: a full disk', () => {
  it('keeps nothing of a transaction, is told to the windows, and again when there is room', () => {
    const store = testStore()
    const banners: { code: string; message: string; gone: boolean }[] = []
    store.bus.subscribe(({ event }) => {
      if (event.type === 'banner') banners.push(event)
    })
    store.db.pragma(`max_page_count = ${String(store.db.pragma('page_count', { simple: true }))}`)
    const write = () =>
      store.transact((tx) => {
        for (const id of ['a', 'b']) store.db.prepare(insert).run(id, id.repeat(500_000))
        tx.emit(changed('a'))
      })
    expect(write).toThrow(/full/)
    expect(write).toThrow(/full/)
    expect(store.db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(0)
    expect(banners).toMatchObject([
      { code: 'disk_refuses', message: expect.stringContaining('full') as string, gone: false },
      { gone: false }
    ])
    store.db.pragma('max_page_count = 1000000')
    write()
    store.transact(() => store.db.prepare(insert).run('c', 'c'))
    expect(banners.slice(2)).toMatchObject([{ code: 'disk_refuses', gone: true }])
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('is no reason to tell it of a statement that is wrong', () => {
    const store = testStore()
    const seen: NomosEvent[] = []
    store.bus.subscribe(({ event }) => seen.push(event))
    expect(() => store.transact(() => store.db.exec('INSERT INTO nowhere VALUES (1)'))).toThrow()
    expect(seen).toEqual([])
  })
})

describe('opening the database', () => {
  it('sets what keeps a committed approval through a power cut', () => {
    const { db } = testStore()
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  })

  it.each(['delete', 'wal'])(
    'F35: a database of a newer version in journal mode %s is refused, byte for byte as it was',
    (mode) => {
      const folder = tempFolder()
      const file = join(folder, 'nomos.db')
      const db = new Database(file)
      db.pragma(`journal_mode = ${mode}`)
      db.exec('CREATE TABLE newer (id TEXT)')
      db.pragma('user_version = 9999')
      // As a program leaves it that was killed: what it wrote last may stand in the -wal alone.
      const copy = tempFolder()
      for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
      db.close()
      const bytes = () => ['nomos.db', 'nomos.db-wal'].map((name) => read(join(copy, name)))
      const before = bytes()
      expect(openStore(copy, migrationsFolder, systemClock)).toMatchObject({
        ok: false,
        error: { code: 'database_newer' }
      })
      expect(bytes()).toEqual(before)
    }
  )

  it('F33: a migration that fails is rolled back, with a copy from before it', () => {
    const folder = tempFolder()
    testStore(folder).close()
    const migrations = tempFolder()
    cpSync(migrationsFolder, migrations, { recursive: true })
    writeFileSync(
      join(migrations, '9000_broken.sql'),
      'CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);'
    )
    expect(openStore(folder, migrations, systemClock)).toMatchObject({
      ok: false,
      error: { code: 'migration_failed' }
    })
    const reopened = testStore(folder)
    expect(reopened.db.prepare(`SELECT count(*) FROM sqlite_master WHERE name = 'half'`).pluck().get()).toBe(
      0
    )
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1)
  })

  it('F32: a copy of the main file alone opens to the last checkpoint', () => {
    const folder = tempFolder()
    const store = testStore(folder)
    store.db.prepare(insert).run('a', 'a')
    store.db.pragma('wal_checkpoint(TRUNCATE)')
    store.db.prepare(insert).run('b', 'b')
    const copy = tempFolder()
    copyFileSync(join(folder, 'nomos.db'), join(copy, 'nomos.db'))
    expect(testStore(copy).db.prepare('SELECT id FROM sessions').pluck().all()).toEqual(['a'])
  })

  it('a damaged file is told with where the copies are', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'nomos.db'), 'this is no database, but long enough to look at'.repeat(50))
    expect(openStore(folder, migrationsFolder, systemClock)).toMatchObject({
      ok: false,
      error: { code: 'database_unreadable', hint: expect.stringContaining('backups') as string }
    })
  })

  it.each(['sessions', 'documents_text_data'])('a file whose pages of %s are damaged is told', (table) => {
    const folder = tempFolder()
    const store = testStore(folder)
    const page = store.db
      .prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .pluck()
      .get(table)
    store.db.prepare(insert).run('a', 'a')
    const size = store.db.pragma('page_size', { simple: true }) as number
    store.close()
    const file = openSync(join(folder, 'nomos.db'), 'r+')
    writeSync(file, Buffer.alloc(64, 0xee), 0, 64, ((page ?? 1) - 1) * size)
    closeSync(file)
    expect(openStore(folder, migrationsFolder, systemClock)).toMatchObject({
      ok: false,
      error: { code: 'database_unreadable' }
    })
  })

  it('the audit trail can only grow', () => {
    const { db } = testStore()
    db.exec(
      `INSERT INTO audit (at, kind, subject, data, prev_hash, hash) VALUES (1, 'k', 's', '{}', '', 'h')`
    )
    expect(() => db.exec('DELETE FROM audit')).toThrow('append-only')
    expect(() => db.exec(`UPDATE audit SET kind = 'x'`)).toThrow('append-only')
  })
})
