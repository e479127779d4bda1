import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backUp } from '../../../src-main/store/backup'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'

describe('a backup of the database', () => {
  it('holds what was committed, also what is only in the log', async () => {
    const store = testStore()
    store.db.exec(`INSERT INTO sessions (id, title, created_at, updated_at) VALUES ('a', 'kept', 1, 1)`)
    const folder = tempFolder()
    const made = await backUp(store, folder)
    if (!made.ok) throw new Error(made.error.message)
    const restored = tempFolder()
    copyFileSync(made.value, join(restored, 'nomos.db'))
    expect(testStore(restored).db.prepare('SELECT title FROM sessions').pluck().all()).toEqual(['kept'])
  })

  it('F34: what a crash left half-written is no backup and older ones stay', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'nomos-2026-01-01.db'), 'older')
    writeFileSync(join(folder, 'nomos-2026-01-02.db.part'), 'torn')
    await backUp(testStore(), folder)
    const names = readdirSync(folder).filter((name) => name.endsWith('.db'))
    expect(names).toHaveLength(2)
    expect(names).toContain('nomos-2026-01-01.db')
  })

  it('keeps the newest seven', async () => {
    const folder = tempFolder()
    for (let day = 10; day < 20; day++) writeFileSync(join(folder, `nomos-2020-01-${day}.db`), 'old')
    await backUp(testStore(), folder)
    const names = readdirSync(folder).sort()
    expect(names).toHaveLength(7)
    expect(names[0]).toBe('nomos-2020-01-14.db')
  })
})
