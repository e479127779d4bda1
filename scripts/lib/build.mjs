import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from './lock.mjs'
import { inModules, inRoot } from './paths.mjs'
import { runQuietly } from './run.mjs'
import { sha256, stamp } from './stamp.mjs'
import { step } from './step.mjs'

const inputs = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'svelte.config.js',
  'package-lock.json'
]
const lastBuild = stamp(inRoot('out', '.built-from'))

/** Every input file with its size and time of change. */
function* describe(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return yield `${path} ${stat.size} ${stat.mtimeMs}`
  for (const name of readdirSync(path).sort()) yield* describe(join(path, name))
}

const fingerprint = () =>
  sha256(
    inputs
      .map((path) => inRoot(path))
      .filter(existsSync)
      .flatMap((path) => [...describe(path)])
      .join('\n')
  )

export const build = () => oneAtATime('build', buildNow)

/** Builds only when something that the build is made from has changed. */
export const buildIfChanged = () =>
  oneAtATime('build', async () => {
    if (!lastBuild.says(fingerprint())) await buildNow()
  })

async function buildNow() {
  const before = fingerprint()
  await step('building the app', () =>
    runQuietly(process.execPath, [inModules('electron-vite/bin/electron-vite.js'), 'build'])
  )
  lastBuild.write(before)
}
