import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redactDeep } from './redact-deep'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Writes lines about what the program did; never secrets, never a host's output. */
export interface Logger {
  log(level: LogLevel, area: string, message: string, data?: Record<string, unknown>): void
}

const maxBytes = 5 * 1024 * 1024

/** Logs JSON lines to `folder/nomos.log`, keeping one older file. Secrets are redacted on the way in. */
export function fileLogger(folder: string): Logger {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'nomos.log')
  const rotate = () => {
    if (existsSync(file) && statSync(file).size > maxBytes) renameSync(file, `${file}.1`)
  }
  rotate()
  let lines = 0
  return {
    log(level, area, message, data) {
      if (++lines % 1000 === 0) rotate()
      const entry = { at: new Date().toISOString(), level, area, message, ...data }
      try {
        const clean = redactDeep(JSON.parse(JSON.stringify(entry)))
        appendFileSync(file, JSON.stringify(clean) + '\n', { mode: 0o600 })
      } catch {
        // A full disk must not stop the work that is being logged.
      }
    }
  }
}

/** Keeps nothing. */
export const silentLogger: Logger = { log: () => undefined }
