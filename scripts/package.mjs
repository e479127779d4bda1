/** Makes what people install, see `package/make.mjs`, and prints the files. */
import { setUp } from './setup.mjs'

await setUp()
// Only now: what it imports is there after the set-up.
const { makePackages } = await import('./package/make.mjs')
for (const file of await makePackages()) process.stdout.write(`${file}\n`)
