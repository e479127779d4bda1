import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rememberSecret } from '../base/redact'

interface Token {
  readonly value: string
  readonly file: string
}

/**
 * The token in `home/gateway.token`: 256 random bits, readable by its owner alone. It stays the same from start to
 * start, for the clients that were given it; deleting the file makes a new one, and so does a file that others can read.
 */
export function gatewayToken(home: string): Token {
  const file = join(home, 'gateway.token')
  const value = kept(file) ?? written(home, file)
  rememberSecret(value)
  return { value, file }
}

function kept(file: string): string | null {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)) return null
    const value = readFileSync(file, 'utf8').trim()
    return /^[\w-]{43}$/.test(value) ? value : null
  } catch {
    return null
  }
}

function written(home: string, file: string): string {
  const value = randomBytes(32).toString('base64url')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // A new file, renamed into place: the mode of one that is there already would stay.
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, `${value}\n`, { mode: 0o600 })
  renameSync(fresh, file)
  return value
}

/** Whether an Authorization header carries the token; takes as long for a wrong one as for the right one. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1]
  if (given === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
