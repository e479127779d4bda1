/** Brings everything here that building, running and testing need. A second run finds it all done. */
import { oneAtATime } from './lib/lock.mjs'
import { isStarted, program } from './lib/program.mjs'
import { checkNodeVersion } from './setup/node-version.mjs'
import { electronNapi, provideElectron } from './setup/electron.mjs'
import { provideNpmPackages } from './setup/npm-packages.mjs'
import { provideSqlite } from './setup/sqlite.mjs'
import { provideSystemPackages } from './setup/system-packages.mjs'

async function provideEverything() {
  await provideSystemPackages()
  await provideNpmPackages()
  const electron = provideElectron()
  await Promise.all([electron, provideSqlite(async () => electronNapi(await electron))])
  return await electron
}

/** Gives the path of the Electron binary to use. */
export async function setUp() {
  try {
    checkNodeVersion()
    return await oneAtATime('set-up', provideEverything)
  } catch (error) {
    throw new Error(`The set-up failed: ${error.message}`, { cause: error })
  }
}

if (isStarted(import.meta.url)) await program(async () => void (await setUp()))
