import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cache } from './paths.mjs'

/** Does a piece of work that two runs of these scripts in one folder must not do at the same time. */
export async function oneAtATime(name, work) {
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `${name}.lock`)
  while (!take(file)) await pause(200)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(file)) rmSync(file, { force: true })
    return false
  }
}

/** A lock whose owner is gone was left behind by a run that was killed. */
function isHeld(file) {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner > 0) process.kill(owner, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
