import { readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { appOrigin } from './app-url'

export interface Asset {
  readonly file: string
  /** MIME type. */
  readonly type: string
}

/** Every file of the built page by the path it is asked for, such as `/assets/index.js`. */
export type Assets = ReadonlyMap<string, Asset>

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2'
}

/** Lists the folder once; a file of a kind that is not known is not served. */
export function listAssets(folder: string): Assets {
  const assets = new Map<string, Asset>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    assets.set(`/${relative(folder, file).split(sep).join('/')}`, { file, type })
  }
  const index = assets.get('/index.html')
  if (index) assets.set('/', index)
  return assets
}

/**
 * The asset of an address, or null. The path is looked up as it stands, neither decoded nor joined to a folder:
 * whatever tries to lead elsewhere (`..`, `%2e%2e`, backslashes, NUL) is simply not in the list.
 */
export function findAsset(assets: Assets, address: string): Asset | null {
  if (!address.startsWith(`${appOrigin}/`)) return null
  const [path = ''] = address.slice(appOrigin.length).split(/[?#]/, 1)
  return assets.get(path) ?? null
}
