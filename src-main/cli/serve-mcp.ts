import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../base/clock'
import { lockHome } from '../base/home-lock'
import { fileLogger } from '../base/log'
import type { AppError } from '../base/result'
import { createCore } from '../core'
import { connectToApp } from '../mcp/socket'
import { serveStdio } from '../mcp/stdio'

interface McpPlace {
  readonly home: string
  /** The app's folder, with `migrations`, `resources` and `skills`. */
  readonly appFolder: string
  readonly version: string
}

/** Serves an MCP client on stdin and stdout until it leaves. Gives the exit code; what went wrong is on stderr. */
export async function serveMcp(place: McpPlace): Promise<number> {
  const failure = (await passOn(place.home)) ? null : await serveAlone(place)
  if (failure) process.stderr.write(`${failure.message}\n${failure.hint ?? ''}\n`)
  return failure ? 1 : 0
}

/** Hands the client on to the app that has the home open; false when there is none. */
async function passOn(home: string): Promise<boolean> {
  const app = await connectToApp(home)
  if (!app) return false
  process.stderr.write('Nomos is open on this home: calls are handed on to it.\n')
  await Promise.race([pipeline(process.stdin, app), pipeline(app, process.stdout, { end: false })])
  return true
}

/** Serves the client by itself, with the home locked for as long as the client stays. */
async function serveAlone({ home, appFolder, version }: McpPlace): Promise<AppError | null> {
  const lock = lockHome(home, 'mcp')
  if (!lock.ok) return lock.error
  const logsFolder = join(home, 'logs')
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
