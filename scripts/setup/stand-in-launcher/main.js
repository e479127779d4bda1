/** Does what Electron's own default app does: starts the app whose folder is on the command line. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

const { preloads, folder } = readCommandLine(process.argv.slice(1))
if (!folder) {
  process.stderr.write('usage: electron [-r MODULE]… FOLDER\n')
  process.exit(1)
}

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
process.defaultApp = true
app.setName(manifest.productName ?? manifest.name)
app.setVersion(manifest.version)
app.setAppPath(folder)

const require = createRequire(join(folder, 'package.json'))
for (const module of preloads) require(module)
await import(pathToFileURL(resolve(folder, manifest.main)))

function readCommandLine(args) {
  const preloads = []
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-r') preloads.push(args[++i])
    else if (!args[i].startsWith('-') && existsSync(join(args[i], 'package.json'))) {
      return { preloads, folder: resolve(args[i]) }
    }
  }
  return { preloads, folder: undefined }
}
