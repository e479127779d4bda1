/**
 * better-sqlite3 carries binaries for Node-API 10. On an older runtime (Node 20,
 * Electron 33) they end the process; built from its source they serve every
 * runtime that is in use here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inModules } from '../lib/paths.mjs'
import { runQuietly } from '../lib/run.mjs'
import { stamp } from '../lib/stamp.mjs'
import { step } from '../lib/step.mjs'

const napiOfTheShippedBinaries = 10
const oldNapiFlags = '-UNAPI_VERSION -DNAPI_EXPERIMENTAL -DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'

const folder = inModules('better-sqlite3')
const built = stamp(join(folder, 'build', '.built-for'))

/** Node's own headers where they are installed beside it; node-gyp looks elsewhere by itself. */
function headers() {
  const prefix = resolve(process.execPath, '../..')
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : []
}

const isBuilt = (version) =>
  built.says(version) && existsSync(join(folder, 'build/Release/better_sqlite3.node'))

const isTooOld = (napi) => napi < napiOfTheShippedBinaries

/** @param electronNapi asks for the Node-API version of the Electron in use; only called when it matters */
export async function provideSqlite(electronNapi) {
  const version = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  if (isBuilt(version)) return
  if (!isTooOld(Number(process.versions.napi)) && !isTooOld(await electronNapi())) return

  await step('better-sqlite3 from source, once, about 90 s', () =>
    runQuietly(
      process.execPath,
      [inModules('node-gyp/bin/node-gyp.js'), 'rebuild', '--release', '--force_build=1', ...headers()],
      { cwd: folder, env: { ...process.env, CXXFLAGS: oldNapiFlags } }
    )
  )
  built.write(version)
}
