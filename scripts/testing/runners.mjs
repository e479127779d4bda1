import { mkdirSync, rmSync } from 'node:fs'
import { inModules, inRoot } from '../lib/paths.mjs'
import { runVisibly } from '../lib/run.mjs'
import { withDesktop } from '../with-desktop.mjs'
import { oneFailure, oneSuccess } from './totals.mjs'
import { count } from './vitest-report.mjs'

const minute = 60_000

/** `start` runs Vitest where the project's tests belong; the report that it leaves is counted. */
const vitest = (project, start, minutes) => async (electron, filters, env) => {
  const report = inRoot('test-results', `${project}.json`)
  mkdirSync(inRoot('test-results'), { recursive: true })
  rmSync(report, { force: true })
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`
  ]
  if (filters.length > 0) args.push('--passWithNoTests', ...filters)
  const code = await start(process.execPath, [inModules('vitest/vitest.mjs'), ...args], {
    env: { ...process.env, NOMOS_ELECTRON: electron, ...env },
    timeout: minutes * minute
  })
  return count(report, code)
}

async function check() {
  const code = await runVisibly(process.execPath, [inRoot('scripts/check.mjs')], { timeout: 10 * minute })
  return code === 0 ? oneSuccess : oneFailure
}

/** Makes the packages first, which takes minutes; so it runs only where it is named. */
async function packages(electron, filters) {
  // Only here: what it imports is there after the set-up.
  const { makePackages } = await import('../package/make.mjs')
  const [deb] = await makePackages()
  return await vitest('package', withDesktop, 20)(electron, filters, { NOMOS_DEB: deb })
}

/** In the order in which they run. */
export const runners = {
  check,
  unit: vitest('unit', runVisibly, 10),
  integration: vitest('integration', withDesktop, 20),
  e2e: vitest('e2e', withDesktop, 40),
  package: packages
}

export const tests = ['unit', 'integration', 'e2e']
export const all = ['check', ...tests]
export const needBuild = ['integration', 'e2e']
