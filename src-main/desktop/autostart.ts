import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { messageOf } from '../base/result'
import type { Services } from '../ipc/services'
import { autostartEntry, isTurnedOff, type AutostartCommand } from './autostart-entry'
import { hiddenFlag } from './hidden'
import type { Texts } from './text'

const banner = 'autostart_failed'

/**
 * Lets the app start with the desktop session, or no longer, as the settings say. The returned function tells the
 * window what went wrong with that, if anything did.
 */
export function startAutostart({ config, store, log }: Services, texts: () => Texts): () => void {
  let applied: string | null = null
  let problem: string | null = null
  const tell = () => {
    const gone = problem === null
    store.announce({
      type: 'banner',
      code: banner,
      message: gone ? '' : texts().autostart(problem ?? ''),
      gone
    })
  }
  const apply = () => {
    const { startup } = config.get()
    if (JSON.stringify(startup) === applied) return
    const isFirst = applied === null
    applied = JSON.stringify(startup)
    const before = problem
    try {
      set(startup, isFirst)
      problem = null
    } catch (error) {
      problem = messageOf(error)
      log.log('error', 'desktop', 'autostart could not be set', { error: problem })
    }
    if (problem !== before) tell()
  }
  apply()
  config.onChange(apply)
  return () => {
    if (problem !== null) tell()
  }
}

function set({ atLogin, hidden }: { atLogin: boolean; hidden: boolean }, isFirst: boolean): void {
  const args = [...(app.isPackaged ? [] : [app.getAppPath()]), ...(hidden ? [hiddenFlag] : [])]
  if (process.platform === 'linux') return writeEntry(atLogin, args, isFirst)
  if (app.getLoginItemSettings({ args }).openAtLogin !== atLogin)
    app.setLoginItemSettings({ openAtLogin: atLogin, args })
}

/** At a start of the app, an entry that was turned off elsewhere stays off; a change in the settings turns it on. */
function writeEntry(atLogin: boolean, args: readonly string[], isFirst: boolean): void {
  const home = process.env['NOMOS_HOME'] ? app.getPath('userData') : null
  const file = entryFile(home)
  if (!atLogin) return rmSync(file, { force: true })
  const there = read(file)
  if (isFirst && there !== null && isTurnedOff(there)) return
  // An AppImage runs from a place that is gone when it ends.
  const command: AutostartCommand = { program: process.env['APPIMAGE'] ?? process.execPath, args, home }
  const entry = autostartEntry(command)
  if (entry === there) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, entry)
  renameSync(`${file}.new`, file)
}

/** One entry for each home, so that a second one does not take the first one's place. */
function entryFile(home: string | null): string {
  const name = home === null ? '' : `-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`
  const folder = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return join(folder, 'autostart', `nomos${name}.desktop`)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
