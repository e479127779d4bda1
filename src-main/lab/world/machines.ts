import type { FileEntry, Machine, Service } from './types'

const folders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/etc/apt',
  '/etc/apt/sources.list.d',
  '/etc/cron.d',
  '/etc/default',
  '/etc/systemd',
  '/etc/systemd/system',
  '/home',
  '/lib',
  '/mnt',
  '/opt',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/srv',
  '/sys',
  '/tmp',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/usr/share',
  '/var',
  '/var/cache',
  '/var/lib',
  '/var/log',
  '/var/tmp'
]

const file = (content: string, at: number, mode = 0o644): FileEntry => ({
  content,
  mode,
  dir: false,
  at
})
export const folder = (at: number, mode = 0o755): FileEntry => ({ content: '', mode, dir: true, at })

const osNames: Readonly<Record<string, { id: string; pretty: string; version: string }>> = {
  'debian-12': { id: 'debian', pretty: 'Debian GNU/Linux 12 (bookworm)', version: '12.7' },
  'debian-13': { id: 'debian', pretty: 'Debian GNU/Linux 13 (trixie)', version: '13.1' },
  'ubuntu-24.04': { id: 'ubuntu', pretty: 'Ubuntu 24.04.3 LTS', version: 'trixie/sid' },
  'alpine-3.22': { id: 'alpine', pretty: 'Alpine Linux v3.22', version: '3.22.0' }
}

/** Files every system has. */
function baseFiles(hostname: string, os: string, at: number): Record<string, FileEntry> {
  const name = osNames[os] ?? { id: 'debian', pretty: 'Debian GNU/Linux 12 (bookworm)', version: '12.7' }
  const entries: [string, FileEntry][] = folders.map((path) => [path, folder(at)])
  return {
    ...Object.fromEntries(entries),
    '/etc/hostname': file(`${hostname}\n`, at),
    '/etc/hosts': file(`127.0.0.1 localhost\n127.0.1.1 ${hostname}\n`, at),
    '/etc/os-release': file(
      `PRETTY_NAME="${name.pretty}"\nNAME="${name.pretty.split(' ')[0] ?? ''}"\nVERSION_ID="${os.split('-')[1] ?? ''}"\nID=${name.id}\n`,
      at
    ),
    '/etc/debian_version': file(`${name.version}\n`, at),
    '/etc/passwd': file(
      'root:x:0:0:root:/root:/bin/bash\nwww-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n',
      at
    )
  }
}

const basePackages = [
  'apt',
  'base-files',
  'bash',
  'coreutils',
  'dpkg',
  'systemd',
  'openssh-server',
  'unattended-upgrades'
]

/** A system with what is common to all, and the given services, files and packages on top. */
export function machine(
  id: string,
  hostname: string,
  os: string,
  at: number,
  more: Partial<Pick<Machine, 'packages' | 'upgrades' | 'journal'>> & {
    readonly services?: readonly Service[]
    readonly files?: Readonly<Record<string, string>>
    readonly fresh?: boolean
  } = {}
): Machine {
  const files = Object.entries(more.files ?? {}).map(([path, content]): [string, FileEntry] => [
    path,
    file(content, at)
  ])
  return {
    id,
    hostname,
    os,
    files: { ...baseFiles(hostname, os, at), ...Object.fromEntries(files) },
    services: Object.fromEntries((more.services ?? []).map((s) => [s.unit, s])),
    packages: [...basePackages, ...(more.packages ?? [])],
    upgrades: more.upgrades ?? [],
    journal: more.journal ?? [],
    apt: { fresh: more.fresh ?? false, lockedUntil: 0 },
    sites: {}
  }
}
