/**
 * Makes what people install into `dist/`: on Linux a deb, and an AppImage and an rpm where their tools can be
 * fetched; on macOS a dmg and a zip, on Windows an installer. Its parts are described in docs/packaging.md.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Platform, build as buildPackages } from 'electron-builder'
import { build } from '../lib/build.mjs'
import { inRoot } from '../lib/paths.mjs'
import { step, tell } from '../lib/step.mjs'
import { configuration } from './configuration.mjs'
import { makeDeb } from './deb.mjs'
import { electronToPackage } from './electron.mjs'
import { checkFuses } from './fuses.mjs'
import { canFetchTools } from './tools.mjs'
import { setUp } from '../setup.mjs'

/** Gives the files that were made. */
export async function makePackages() {
  const electron = electronToPackage(await setUp())
  const output = inRoot('dist', electron.isRelease ? '' : 'for-trial')
  rmSync(output, { recursive: true, force: true })
  await build()
  const config = configuration(electron, output)
  return process.platform === 'linux'
    ? await forLinux(electron, config, output)
    : await step('packages', () => buildPackages({ config }))
}

async function forLinux(electron, config, output) {
  await step('the app with its own Electron', () =>
    buildPackages({ targets: Platform.LINUX.createTarget('dir'), config })
  )
  const folder = join(output, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  await checkFuses(join(folder, 'nomos'))
  const made = [await step('deb', () => makeDeb(folder, output, electron))]
  if (!electron.isRelease) {
    tell(
      `This is not a release: it carries Electron ${electron.version}, a stand-in past its end of life, because ` +
        'the pinned one could not be downloaded. It is for trying the packaging only and must not be given away.'
    )
  } else if (await canFetchTools()) {
    const targets = Platform.LINUX.createTarget(['AppImage', 'rpm'])
    made.push(
      ...(await step('AppImage and rpm', () => buildPackages({ targets, prepackaged: folder, config })))
    )
  }
  if (made.length === 1) tell('Left out: AppImage and rpm; their tools come from github.com.')
  tell('Left out: macOS and Windows; their packages are made and signed on those systems.')
  return made
}
