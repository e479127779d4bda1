/** Everything that can be said about the sources without running them. */
import { inModules, inRoot } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { runQuietly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

/** What main-side.mjs looks at. */
const mainSide = ['src-main/', 'src-preload/', 'test/'].flatMap((folder) => ['--ignore-pattern', folder])

/** The longest first: with few processors it is what the others wait for. */
const checks = {
  'types and rules of the main side (tsc, eslint)': [inRoot('scripts/lint/main-side.mjs')],
  'format (prettier)': [
    inModules('prettier/bin/prettier.cjs'),
    '--check',
    '--cache',
    '--log-level=warn',
    '.'
  ],
  'types of the screen (svelte-check)': [
    inModules('svelte-check/bin/svelte-check'),
    '--tsconfig=tsconfig.renderer.json',
    '--fail-on-warnings',
    '--output=human'
  ],
  'rules of the screen and the scripts (eslint)': [
    inModules('eslint/bin/eslint.js'),
    '--max-warnings=0',
    '.',
    ...mainSide
  ],
  'unused code (knip)': [inModules('knip/bin/knip.js'), '--no-progress']
}

async function run(name, command) {
  const since = performance.now()
  const problems = await runQuietly(process.execPath, command).then(
    () => undefined,
    (error) => error.output ?? error.message
  )
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  process.stdout.write(`${problems ? '✗' : '✓'} ${name}, ${seconds} s\n`)
  if (problems) process.stdout.write(`${problems.trim()}\n\n`)
  return !problems
}

await program(async () => {
  await setUp()
  const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)))
  const failed = results.filter((ok) => !ok).length
  process.stdout.write(
    failed === 0 ? 'All checks passed.\n' : `${failed} of ${results.length} checks failed.\n`
  )
  return failed === 0 ? 0 : 1
})
