import { configText } from '../world/guest-config'
import { nodeUsage } from '../world/look'
import { folder } from '../world/machines'
import type { FileEntry, Machine, World } from '../world/types'

/** An absolute path without `.`, `..` and double slashes. */
export function absolute(cwd: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Files that are not kept but made up when they are read: the kernel's and the cluster's. */
function madeUp(world: World, machine: Machine, path: string, now: number): string | null {
  const nodeName = machine.id.startsWith('host:') ? machine.id.slice(5) : guestNode(world, machine)
  const node = world.nodes[nodeName]
  if (!node) return null
  if (path === '/proc/sys/kernel/random/boot_id') return `${node.bootId}\n`
  if (path === '/proc/uptime') return `${((now - node.bootedAt) / 1000).toFixed(2)} 0.00\n`
  if (path === '/proc/loadavg')
    return `${(nodeUsage(world, node, now).cpu * node.cpus).toFixed(2)} 0.41 0.38 1/812 4242\n`
  const conf = /^\/etc\/pve(?:\/nodes\/([^/]+))?\/lxc\/(\d+)\.conf$/.exec(path)
  if (conf && machine.id.startsWith('host:')) {
    const guest = world.guests[conf[2] ?? '']
    if (guest?.kind === 'lxc' && guest.node === (conf[1] ?? nodeName)) return configText(guest, true)
  }
  return null
}

const guestNode = (world: World, machine: Machine): string =>
  world.guests[machine.id.slice('lxc:'.length)]?.node ?? ''

export function readFile(world: World, machine: Machine, path: string, now: number): string | null {
  const entry = machine.files[path]
  if (entry && !entry.dir) return entry.content
  return madeUp(world, machine, path, now)
}

export function entryAt(world: World, machine: Machine, path: string, now: number): FileEntry | null {
  if (path === '/') return folder(0)
  const entry = machine.files[path]
  if (entry) return entry
  if (Object.keys(machine.files).some((other) => other.startsWith(`${path}/`))) return folder(0)
  const content = madeUp(world, machine, path, now)
  return content === null ? null : { content, mode: 0o444, dir: false, at: now }
}

/** Names directly below a folder, sorted. */
export function childrenOf(machine: Machine, path: string): string[] {
  const prefix = path === '/' ? '/' : `${path}/`
  const names = Object.keys(machine.files)
    .filter((other) => other.startsWith(prefix) && other !== prefix)
    .map((other) => other.slice(prefix.length).split('/')[0] ?? '')
  return [...new Set(names)].filter((name) => name !== '').sort()
}

/** Paths of a machine's files that a pattern with `*` and `?` names; the pattern itself when none does. */
export function glob(machine: Machine, cwd: string, pattern: string): string[] {
  const full = absolute(cwd, pattern)
  const regex = new RegExp(`^${full.split('').map(globChar).join('')}$`)
  const folders = Object.keys(machine.files).flatMap((path) => [path, parentOf(path)])
  const found = [...new Set(folders)].filter((path) => regex.test(path)).sort()
  return found.length > 0 ? found : [pattern]
}

const globChar = (char: string): string =>
  char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char.replace(/[\\^$.|+()[\]{}]/, '\\$&')
