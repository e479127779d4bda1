import { appendFileSync } from 'node:fs'

/** Every place where a crash is worth testing: around each commit, and around each effect outside of the database. */
export const crashPoints = [
  'before-approval-commit',
  'after-approval-commit',
  'before-starting-commit',
  'after-starting-commit',
  'after-job-start',
  'after-running-commit',
  'after-output-write',
  'before-progress-commit',
  'after-progress-commit',
  'before-cancel-commit',
  'after-cancel-commit',
  'before-successor-request',
  'before-terminal-commit',
  'after-terminal-commit',
  'before-successor-start',
  'before-claim-commit',
  'after-claim',
  'tool-saved',
  'tool-ran',
  'mid-stream'
] as const

export type CrashPoint = (typeof crashPoints)[number]

const passed = new Map<string, number>()

/**
 * With `NOMOS_CRASH_AT` set to the name of this point the process kills itself here, as a power cut would; with
 * `name#2` at the second time it comes by. With `NOMOS_CRASH_LOG` set to a file, each name that is passed is written
 * there, a line each. Otherwise nothing happens.
 */
export function crashPoint(point: CrashPoint): void {
  const { NOMOS_CRASH_AT: wanted, NOMOS_CRASH_LOG: file } = process.env
  if (wanted === undefined && file === undefined) return
  const times = (passed.get(point) ?? 0) + 1
  passed.set(point, times)
  const name = times === 1 ? point : `${point}#${times}`
  if (file !== undefined) appendFileSync(file, `${name}\n`)
  if (wanted === name) process.kill(process.pid, 'SIGKILL')
}
