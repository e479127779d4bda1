/** Prints the path of the Electron binary in use, once the app can be started with it. */
import { buildIfChanged } from './lib/build.mjs'
import { program } from './lib/program.mjs'
import { setUp } from './setup.mjs'

await program(async () => {
  const electron = await setUp()
  await buildIfChanged()
  process.stdout.write(`${electron}\n`)
})
