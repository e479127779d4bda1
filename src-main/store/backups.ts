import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupView } from '../../src-preload/contract'

/** Copies beside the database that is in use; also those from before a migration or a restore. */
export const backupsFolder = (home: string): string => join(home, 'backups')

/** The copies in the folder, the newest first. */
export function listBackups(folder: string): BackupView[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => ({ name, stat: lstatSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat }) => ({ name, at: Math.round(stat.mtimeMs), bytes: stat.size }))
    .sort((a, b) => b.at - a.at)
}
