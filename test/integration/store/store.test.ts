import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { NomosEvent, SessionView } from '../../../src-preload/contract'
import { systemClock } from '../../../src-main/base/clock'
import { openStore } from '../../../src-main/store/store'
import { migrationsFolder, testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

const session = (id: string): SessionView => ({ id, title: id, state: 'idle', createdAt: 1, updatedAt: 1 })
const changed = (id: string): NomosEvent => ({ type: 'session.changed', session: session(id) })
const insert = 'INSERT INTO sessions (id, title, created_at, updated_at) VALUES (?, ?, 1, 1)'

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

describe('opening the database', () => {
  it('sets what keeps a committed approval through a power cut', () => {
    const { db } = testStore()
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  })

  it('F35: a database of a newer version is refused and left as it is', () => {
    const folder = tempFolder()
    const db = new Database(join(folder, 'nomos.db'))
    db.pragma('user_version = 9999')
    db.close()
    const before = readFileSync(join(folder, 'nomos.db'))
    expect(openStore(folder, migrationsFolder, systemClock)).toMatchObject({
      ok: false,
      error: { code: 'database_newer' }
    })
    const after = new Database(join(folder, 'nomos.db'), { readonly: true })
    expect(after.pragma('user_version', { simple: true })).toBe(9999)
    expect(after.prepare('SELECT count(*) FROM sqlite_master').pluck().get()).toBe(0)
    expect(before.length).toBeGreaterThan(0)
    after.close()
  })

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

  it('the audit trail can only grow', () => {
    const { db } = testStore()
    db.exec(
      `INSERT INTO audit (at, kind, subject, data, prev_hash, hash) VALUES (1, 'k', 's', '{}', '', 'h')`
    )
    expect(() => db.exec('DELETE FROM audit')).toThrow('append-only')
    expect(() => db.exec(`UPDATE audit SET kind = 'x'`)).toThrow('append-only')
  })
})
