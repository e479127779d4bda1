import { existsSync } from 'node:fs'
import { runQuietly } from '../lib/run.mjs'
import { step, tell } from '../lib/step.mjs'

/** What the keychain module is built from, Electron is linked with, and the tests need around them. */
const packages = [
  ['build tools', ['python3', 'make', 'g++', 'pkg-config', 'libsecret-1-dev']],
  [
    'Electron',
    [
      'libnss3',
      'libatk1.0-0',
      'libatk-bridge2.0-0',
      'libcups2',
      'libgtk-3-0',
      'libgbm1',
      'libasound2',
      'libxss1',
      'libxtst6',
      'libnotify4',
      'libsecret-1-0'
    ]
  ],
  ['a desktop for tests', ['xvfb', 'xauth', 'dbus', 'dbus-x11', 'gnome-keyring']],
  ['a server for tests', ['openssh-server']]
]

const isDebian = () => process.platform === 'linux' && existsSync('/etc/debian_version')
const isRoot = () => process.getuid?.() === 0

async function installedPackages() {
  const list = await runQuietly('dpkg-query', [
    '-W',
    '-f',
    '${db:Status-Abbrev}\t${binary:Package}\t${Provides}\n'
  ])
  const names = new Set()
  for (const line of list.split('\n')) {
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
  await runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env })
}

export async function provideSystemPackages() {
  if (!isDebian()) return
  const installed = await installedPackages()
  const missing = packages
    .map(([purpose, names]) => [purpose, names.filter((name) => !installed.has(name))])
    .filter(([, names]) => names.length > 0)
  if (missing.length === 0) return

  const names = missing.flatMap(([, some]) => some)
  if (isRoot()) return await step(`Debian packages: ${names.join(' ')}`, () => install(names))

  for (const [purpose, some] of missing) tell(`missing for ${purpose}: ${some.join(' ')}`)
  tell(`Only root can install them: sudo apt-get install ${names.join(' ')}`)
  tell('Going on without them; what needs them will fail.')
}
