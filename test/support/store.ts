import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock, type Clock } from '../../src-main/base/clock'
import { openStore, type Store } from '../../src-main/store/store'
import { tempFolder } from './temp'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** A real database in a folder of the test's own, closed when the test is over. */
export function testStore(folder = tempFolder(), clock: Clock = systemClock): Store {
  const opened = openStore(folder, migrationsFolder, clock)
  if (!opened.ok) throw new Error(opened.error.message)
  onTestFinished(() => {
    if (opened.value.db.open) opened.value.close()
  })
  return opened.value
}
