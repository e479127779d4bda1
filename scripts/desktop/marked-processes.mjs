import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** The environment variable that everything started on a desktop of ours inherits. */
export const marker = 'NOMOS_OWN_DESKTOP'

const graceMs = 2_000
const lookAgainMs = 50

/** Ends every process that carries the mark, however far it has detached itself. */
export async function endMarked(id) {
  const deadline = Date.now() + graceMs
  for (const pid of marked(id)) signal(pid, 'SIGTERM')
  while (marked(id).length > 0 && Date.now() < deadline) await pause(lookAgainMs)
  for (const pid of marked(id)) signal(pid, 'SIGKILL')
}

function marked(id) {
  const mark = `${marker}=${id}`
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark))
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself in the meantime.
  }
}
