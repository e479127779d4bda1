/**
 * Plays in the real app with the lab until every page has something to show, and writes pictures of all of
 * them, light and dark, to `docs/images/`.
 *
 *   npm run images                     the pictures of the documentation
 *   npm run images -- 1000x700 DIR     the same at another size of the window, into DIR
 */
import { resolve } from 'node:path'
import { buildIfChanged } from './lib/build.mjs'
import { inRoot } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { setUp } from './setup.mjs'
import { withDesktop } from './with-desktop.mjs'

const [size = '1280x800', folder = inRoot('docs/images')] = process.argv.slice(2)

await program(async () => {
  const electron = await setUp()
  await buildIfChanged()
  return await withDesktop(process.execPath, [
    inRoot('scripts/images/play.mjs'),
    electron,
    size,
    resolve(folder)
  ])
})
