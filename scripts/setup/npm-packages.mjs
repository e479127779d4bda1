import { existsSync, readFileSync } from 'node:fs'
import { inModules, inRoot } from '../lib/paths.mjs'
import { runQuietly } from '../lib/run.mjs'
import { sha256, stamp } from '../lib/stamp.mjs'
import { step } from '../lib/step.mjs'

const installed = stamp(inModules('.nomos-lock'))
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export async function provideNpmPackages() {
  const lock = sha256(readFileSync(inRoot('package-lock.json')))
  if (installed.says(lock)) return
  if (existsSync(inModules('.package-lock.json')) && (await matchesTheLock())) return installed.write(lock)
  await step('npm packages', () =>
    runQuietly(npm, ['ci', '--no-audit', '--no-fund'], { shell: process.platform === 'win32' })
  )
  installed.write(lock)
}

/** True where somebody has run npm by hand and everything in the lock is there. */
async function matchesTheLock() {
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(inModules('.package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version
  )
}
