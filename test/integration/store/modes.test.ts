import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { backUp } from '../../../src-main/store/backup'
import { openStore } from '../../../src-main/store/store'
import { tempFolder } from '../../support/temp'

const migrations = join(import.meta.dirname, '../../../migrations')
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

it.skipIf(process.platform === 'win32')(
  'the database, its log and its copies are readable by their owner alone, also in a folder that others may enter',
  async () => {
    const home = tempFolder()
    chmodSync(home, 0o755)
    const store = openStore(home, migrations, systemClock)
    if (!store.ok) throw new Error(store.error.message)
    const backup = await backUp(store.value, join(home, 'backups'))
    expect(backup.ok && modeOf(backup.value)).toBe('600')
    const files = readdirSync(home).filter((name) => name.startsWith('nomos.db'))
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect(modeOf(join(home, file)), file).toBe('600')
    store.value.close()
  }
)
