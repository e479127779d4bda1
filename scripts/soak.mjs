/**
 * Kills the program at random for some minutes over a real sshd and a bad network, and prints what held.
 *
 *   npm run soak -- --minutes 3 --seed 42
 */
import { inRoot } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { runVisibly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

await program(async () => {
  await setUp()
  return await runVisibly(process.execPath, [
    inRoot('test/support/run-ts.mjs'),
    inRoot('test/soak/soak.ts'),
    ...process.argv.slice(2)
  ])
})
