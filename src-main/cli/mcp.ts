import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { serveMcp } from './serve-mcp'

/** Where the app keeps its data by default: Electron's `userData` (its documentation of app.getPath). */
function defaultHome(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Nomos')
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), 'Nomos')
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Nomos')
}

const home = resolve(process.env['NOMOS_HOME'] ?? defaultHome())
const appFolder = resolve(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string }

process.exit(await serveMcp({ home, appFolder, version }))
