import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../lib/paths.mjs'
import { runQuietly } from '../lib/run.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }
const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512]

/** What Electron and the keychain need; the second name is that of systems with 64-bit time. */
const depends = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'libxss1',
  'libxtst6',
  'xdg-utils'
]

/**
 * Makes a deb of the unpacked app with Debian's own `dpkg-deb`, and gives its path.
 * A trial is packed quickly, a release well.
 */
export async function makeDeb(folder, output, { isRelease }) {
  const { version, description, author, homepage } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const architecture = architectures[process.arch]
  const tree = join(output, 'deb')
  rmSync(tree, { recursive: true, force: true })

  cpSync(folder, join(tree, 'usr/lib/nomos'), { recursive: true, verbatimSymlinks: true })
  place(inRoot('packaging/linux/nomos.desktop'), join(tree, 'usr/share/applications/nomos.desktop'))
  place(inRoot('LICENSE'), join(tree, 'usr/share/doc/nomos/copyright'))
  for (const size of iconSizes) {
    const icons = join(tree, `usr/share/icons/hicolor/${size}x${size}/apps`)
    place(inRoot(`resources/icons/icon-${size}.png`), join(icons, 'nomos.png'))
  }
  place(inRoot('packaging/linux/nomos'), join(tree, 'usr/bin/nomos'))
  chmodSync(join(tree, 'usr/bin/nomos'), 0o755)

  place(inRoot('packaging/linux/postinst'), join(tree, 'DEBIAN/postinst'))
  chmodSync(join(tree, 'DEBIAN/postinst'), 0o755)
  const control = {
    Package: 'nomos',
    Version: isRelease ? version : `${version}~trial`,
    Architecture: architecture,
    Maintainer: `${author.name} <nomos@example.invalid>`,
    'Installed-Size': await kilobytes(join(tree, 'usr')),
    Depends: depends.join(', '),
    Recommends: 'gnome-keyring | kwalletmanager',
    Section: 'admin',
    Priority: 'optional',
    Homepage: homepage,
    Description: `operate Proxmox VE from a chat\n ${description}`
  }
  const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`)
  writeFileSync(join(tree, 'DEBIAN/control'), lines.join(''))

  const file = join(output, `nomos_${control.Version}_${architecture}.deb`)
  const packing = isRelease ? ['-Zxz', '-z6'] : ['-Zgzip', '-z1']
  await runQuietly('dpkg-deb', ['--build', '--root-owner-group', ...packing, tree, file])
  rmSync(tree, { recursive: true })
  return file
}

function place(file, target) {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(file, target)
  chmodSync(target, 0o644)
}

const kilobytes = async (folder) => Number((await runQuietly('du', ['-sk', folder])).split('\t')[0])
