/** Everything that can be said about the sources without running them. */
import { inModules } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { runQuietly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

const checks = {
  'format (prettier)': ['prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.'],
  'rules (eslint)': ['eslint/bin/eslint.js', '--max-warnings=0', '.'],
  'types of the main side (tsc)': ['typescript/bin/tsc', '-p', 'tsconfig.node.json'],
  'types of the screen (svelte-check)': [
    'svelte-check/bin/svelte-check',
    '--tsconfig=tsconfig.renderer.json',
    '--fail-on-warnings',
    '--output=human'
  ],
  'unused code (knip)': ['knip/bin/knip.js', '--no-progress']
}

async function run(name, [script, ...args]) {
  const since = performance.now()
  const problems = await runQuietly(process.execPath, [inModules(script), ...args]).then(
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
