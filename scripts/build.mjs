import { build } from './lib/build.mjs'
import { program } from './lib/program.mjs'
import { setUp } from './setup.mjs'

await program(async () => {
  await setUp()
  await build()
})
