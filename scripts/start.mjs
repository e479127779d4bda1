/** Opens the app on this machine's screen. */
import { buildIfChanged } from './lib/build.mjs'
import { hasDisplay } from './lib/display.mjs'
import { root } from './lib/paths.mjs'
import { program } from './lib/program.mjs'
import { runVisibly } from './lib/run.mjs'
import { setUp } from './setup.mjs'

// Chromium refuses to run as root inside its sandbox.
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []

await program(async () => {
  const electron = await setUp()
  if (!hasDisplay()) {
    throw new Error(
      'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can be opened.\n' +
        '`npm run demo` shows the app at work without a screen.'
    )
  }
  await buildIfChanged()
  return await runVisibly(electron, [...sandbox, root, ...process.argv.slice(2)])
})
