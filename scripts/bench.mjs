/** Runs test/bench/*.bench.ts one after another; each prints its own figures. Words choose files. */
import { buildIfChanged } from './lib/build.mjs'
import { inModules } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { setUp } from './setup.mjs'
import { withDesktop } from './with-desktop.mjs'

const args = ['run', '--disable-console-intercept', '--project', 'bench', ...process.argv.slice(2)]

await program(async () => {
  const electron = await setUp()
  await buildIfChanged()
  return await withDesktop(process.execPath, [inModules('vitest/vitest.mjs'), ...args], {
    env: { ...process.env, NOMOS_ELECTRON: electron }
  })
})
