import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inModules } from '../lib/paths.mjs'
import { isStandIn, version as standInVersion } from '../setup/electron-stand-in.mjs'

/** The Electron that goes into the packages; only the pinned one makes a release. */
export function electronToPackage(binary) {
  const isRelease = !isStandIn(binary)
  const pinned = JSON.parse(readFileSync(inModules('electron/package.json'), 'utf8')).version
  return { dist: dirname(binary), version: isRelease ? pinned : standInVersion, isRelease }
}
