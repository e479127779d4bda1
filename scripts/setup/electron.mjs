import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inModules } from '../lib/paths.mjs'
import { runQuietly } from '../lib/run.mjs'
import { step, tell } from '../lib/step.mjs'
import * as standIn from './electron-stand-in.mjs'

const folder = inModules('electron')
const pinnedVersion = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
const tenMinutes = 600_000

function pinnedBinary() {
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8'))
  return existsSync(binary) ? binary : undefined
}

function chosenByTheUser() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (!dist) return undefined
  const binary = join(dist, process.platform === 'win32' ? 'electron.exe' : 'electron')
  if (!existsSync(binary)) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH is set, but there is no ${binary}`)
  return binary
}

/** The Electron that is there already, if any. */
const electronAtHand = () => chosenByTheUser() ?? pinnedBinary() ?? standIn.binaryFor(pinnedVersion())

async function downloadPinned() {
  try {
    await runQuietly(process.execPath, [join(folder, 'install.js')], { cwd: folder, timeout: tenMinutes })
  } catch {
    return undefined
  }
  return pinnedBinary()
}

/** Gives the path of the Electron binary to use, after getting one where there is none. */
export async function provideElectron() {
  const atHand = electronAtHand()
  if (atHand) return atHand

  const version = pinnedVersion()
  const downloaded = await step(`Electron ${version}`, downloadPinned)
  if (downloaded) return downloaded

  if (!standIn.isPossible()) {
    throw new Error(
      `Electron ${version} could not be downloaded. Try again with a connection to github.com, ` +
        'set ELECTRON_MIRROR, or unpack it yourself and set ELECTRON_OVERRIDE_DIST_PATH to its folder.'
    )
  }
  tell(
    `Electron ${version} could not be downloaded: using ${standIn.version}, a stand-in for development only.`
  )
  return await step(`Electron ${standIn.version} (stand-in)`, () => standIn.build(version))
}

/** The Node-API version that an Electron binary offers to native modules. */
export async function electronNapi(binary) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  try {
    return Number(await runQuietly(binary, ['-p', 'process.versions.napi'], { env }))
  } catch (error) {
    tell(`Electron does not start on this machine: ${error.message}`)
    return Infinity
  }
}
