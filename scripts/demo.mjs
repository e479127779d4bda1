/**
 * Plays the main job in the real app with the lab, on a display of its own where there is none, and leaves
 * screenshots and a transcript in `test-results/demo/`.
 */
import { hasDisplay } from './lib/display.mjs'
import { buildIfChanged } from './lib/build.mjs'
import { inRoot } from './lib/paths.mjs'
import { runVisibly } from './lib/run.mjs'
import { setUp } from './setup.mjs'
import { withDesktop } from './with-desktop.mjs'

const electron = await setUp()
await buildIfChanged()
const play = [inRoot('scripts/demo/play.mjs'), electron]
process.exitCode = hasDisplay()
  ? await runVisibly(process.execPath, play)
  : await withDesktop(process.execPath, play)
