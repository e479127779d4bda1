import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'

/**
 * What Electron allows by default and a release does not, and what it can check and a release does. Under the
 * names of electron-builder; each is described in Electron's docs/tutorial/fuses.md.
 */
export const fuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  enableCookieEncryption: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false
}

const optionOf = (name) => FuseV1Options[name[0].toUpperCase() + name.slice(1)]

/** Reads the fuses of a finished program back; throws where one is not as it was set. */
export async function checkFuses(binary) {
  const wire = await getCurrentFuseWire(binary)
  const wrong = Object.entries(fuses)
    .filter(([name, on]) => wire[optionOf(name)] !== (on ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([name]) => name)
  if (wrong.length > 0) throw new Error(`${binary} has fuses that are not set: ${wrong.join(', ')}`)
}
