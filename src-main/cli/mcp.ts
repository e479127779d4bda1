import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../base/clock'
import { lockHome } from '../base/home-lock'
import { fileLogger } from '../base/log'
import type { AppError } from '../base/result'
import { createCore } from '../core'
import { connectToApp } from '../mcp/socket'
import { serveStdio } from '../mcp/stdio'

/** Where the app keeps its data by default: Electron's `userData` (its documentation of app.getPath). */
function defaultHome(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Nomos')
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), 'Nomos')
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Nomos')
}

const home = resolve(process.env['NOMOS_HOME'] ?? defaultHome())
const appFolder = resolve(import.meta.dirname, '../../..')

/** Hands the client on to the app that has the home open; false when there is none. */
async function passOn(): Promise<boolean> {
  const app = await connectToApp(home)
  if (!app) return false
  process.stderr.write('Nomos is open on this home: calls are handed on to it.\n')
  await Promise.race([pipeline(process.stdin, app), pipeline(app, process.stdout, { end: false })])
  return true
}

/** Serves the client by itself, with the home locked for as long as the client stays. */
async function serveAlone(): Promise<AppError | null> {
  const lock = lockHome(home, 'mcp')
  if (!lock.ok) return lock.error
  const logsFolder = join(home, 'logs')
  const { version } = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string }
  const core = createCore({
    ...{ home, appFolder, version, logsFolder },
    ...{ env: process.env, clock: systemClock, log: fileLogger(logsFolder) }
  })
  if (!core.ok) return core.error
  process.stderr.write('Nomos is not open: what needs approval waits until it is opened.\n')
  await core.value.start()
  await serveStdio(core.value.gateway)
  await core.value.close()
  lock.value.release()
  return null
}

const failure = (await passOn()) ? null : await serveAlone()
if (failure) process.stderr.write(`${failure.message}\n${failure.hint ?? ''}\n`)
process.exit(failure ? 1 : 0)
