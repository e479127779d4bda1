import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from './result'

/** The program that has a home folder to itself. */
export interface HomeHolder {
  readonly pid: number
  /** The program's own mark of when it started, so that a pid used again is not taken for it; '' where there is none. */
  readonly started: string
  /** Such as `app` or `mcp`. */
  readonly program: string
  readonly since: number
}

export interface HomeLock {
  readonly holder: HomeHolder
  /** Lets the next program in. Harmless when done twice. */
  release(): void
}

const fileOf = (home: string) => join(home, 'nomos.lock')

/**
 * Takes the home folder for this program, so that no second one opens its database or runs its watcher.
 * A lock whose program is gone (killed, or before a restart of the machine) is taken over.
 * Errors: `home_locked` (data: the holder).
 */
export function lockHome(home: string, program: string, now = Date.now()): Result<HomeLock> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const holder: HomeHolder = { pid: process.pid, started: startOf(process.pid), program, since: now }
  const file = fileOf(home)
  const text = `${JSON.stringify(holder)}\n`
  for (;;) {
    if (create(file, text)) return ok({ holder, release: () => removeOwn(file, text) })
    const found = read(file)
    const other = parse(found)
    if (other && isAlive(other)) return fail('home_locked', describe(other, home), undefined, { ...other })
    if (found !== null) removeStale(file, found)
  }
}

/** The living program that has the home folder, if there is one. */
export function holderOf(home: string): HomeHolder | null {
  const holder = parse(read(fileOf(home)))
  return holder && isAlive(holder) ? holder : null
}

/** Writes the whole file under another name first: nobody ever reads half a lock. */
function create(file: string, text: string): boolean {
  const own = `${file}.${process.pid}`
  writeFileSync(own, text, { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    // A file system without hard links, such as exFAT.
    if (isCode(error, 'EPERM') || isCode(error, 'ENOTSUP')) return createExclusively(file, text)
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

function createExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Longest that a guard can be held by a program that lives; beyond it, its program was killed. Milliseconds. */
const guardMs = 10_000

/**
 * Removes a stale lock behind a guard that one program at a time gets: whoever comes second finds another lock than
 * the stale one, and leaves it.
 */
function removeStale(file: string, stale: string): void {
  const guard = `${file}.guard`
  try {
    mkdirSync(guard)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > guardMs) rmSync(guard, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return
  }
  try {
    if (read(file) === stale) rmSync(file, { force: true })
  } finally {
    rmSync(guard, { recursive: true, force: true })
  }
}

function removeOwn(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true })
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function parse(text: string | null): HomeHolder | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isHolder(value) ? value : null
  } catch {
    return null
  }
}

const isHolder = (value: unknown): value is HomeHolder =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  Number.isSafeInteger(value.pid) &&
  'started' in value &&
  typeof value.started === 'string' &&
  'program' in value &&
  typeof value.program === 'string' &&
  'since' in value &&
  typeof value.since === 'number'

function isAlive({ pid, started }: HomeHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isCode(error, 'EPERM')) return false
  }
  return startOf(pid) === started
}

/**
 * When a process was started, in clock ticks since boot, with the boot's id: field 22 of `/proc/PID/stat` (proc(5)).
 * Empty where there is no `/proc`: there a living process with the pid counts as the holder.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return ''
  }
}

const describe = ({ pid, program, since }: HomeHolder, home: string) =>
  `${program === 'mcp' ? 'The MCP server of Nomos' : 'Nomos'} (process ${pid}) has had ${home} open since ` +
  `${new Date(since).toLocaleString()}. Nothing was changed.`

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
