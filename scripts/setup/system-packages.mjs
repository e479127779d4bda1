import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runQuietly } from '../lib/run.mjs'
import { step, tell } from '../lib/step.mjs'
import { debianPackages, neededCommands } from './system-needs.mjs'

const isRoot = () => process.getuid?.() === 0

/** Installs what is missing where that is possible, and says what is missing where it is not. */
export async function provideSystemPackages() {
  if (process.platform !== 'linux') return
  await (existsSync('/etc/debian_version') ? provideOnDebian() : lookForCommands())
}

async function provideOnDebian() {
  const installed = await installedPackages()
  const missing = Object.entries(debianPackages)
    .map(([purpose, names]) => [purpose, names.filter((name) => !installed.has(name))])
    .filter(([, names]) => names.length > 0)
  if (missing.length === 0) return

  const names = missing.flatMap(([, some]) => some)
  if (isRoot()) return await step(`Debian packages: ${names.join(' ')}`, () => install(names))

  for (const [purpose, some] of missing) tell(`missing for ${purpose}: ${some.join(' ')}`)
  tell(`Only root can install them: sudo apt-get install ${names.join(' ')}`)
  tell('Going on without them; what needs them will fail.')
}

async function installedPackages() {
  const format = '${db:Status-Abbrev}\t${binary:Package}\t${Provides}\n'
  const names = new Set()
  for (const line of (await runQuietly('dpkg-query', ['-W', '-f', format])).split('\n')) {
    const [status, name, provides = ''] = line.split('\t')
    if (status?.trim() !== 'ii') continue
    names.add(name.split(':')[0])
    for (const provided of provides.split(',')) names.add(provided.trim().split(/[ :]/)[0])
  }
  return names
}

async function install(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runQuietly('apt-get', ['update', '-qq'], { env })
  const present = await Promise.all(names.map(nameInThisRelease))
  await runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...present], { env })
}

/** Debian 13 renamed libraries whose time_t has grown to 64 bits. */
async function nameInThisRelease(name) {
  const isKnown = await runQuietly('apt-cache', ['show', '--quiet=0', name]).then(
    (found) => found.includes('Package:'),
    () => false
  )
  return isKnown ? name : `${name}t64`
}

function lookForCommands() {
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin', '/sbin']
  const missing = neededCommands.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
  if (missing.length === 0) return
  tell(`not found: ${missing.join(' ')}`)
  tell(`On Debian they come with: ${Object.values(debianPackages).flat().join(' ')}`)
  tell('Going on without them; what needs them will fail.')
}
