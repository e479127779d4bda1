import { build } from './lib/build.mjs'
import { setUp } from './setup.mjs'

await setUp()
try {
  await build()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
