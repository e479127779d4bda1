import type { GuestView, HostView, StorageView } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet } from '../../fleet/port'
import { bytes, duration, moment, table, usage } from '../format'

/** The guests or storages of one node, named by node or by host; all of them without a name. Error: `host_unknown`. */
export function ofNode<T extends { readonly node: string; readonly host: string | null }>(
  fleet: Fleet,
  all: readonly T[],
  node: string | undefined
): Result<readonly T[]> {
  if (node === undefined) return ok(all)
  const direct = all.filter((each) => each.node.toLowerCase() === node.toLowerCase())
  if (direct.length > 0) return ok(direct)
  const host = fleet.hostOfNode(node)
  return host.ok ? ok(all.filter((each) => each.host === host.value)) : host
}

/** Hosts that cannot be asked now, so that nobody takes old data for new. */
export const blindSpots = (fleet: Fleet): { host: string; code: string; message: string }[] =>
  fleet
    .hosts()
    .flatMap((host) =>
      host.error ? [{ host: host.name, code: host.error.code, message: host.error.message }] : []
    )

/** The same as lines of text; nothing when all hosts answer. */
export function blindText(fleet: Fleet): string {
  const lines = fleet.hosts().flatMap((host) => {
    if (!host.error) return []
    const since =
      host.seenAt === null ? 'it was never reached' : `what is known of it is from ${moment(host.seenAt)}`
    return [`Cannot ask ${host.name} (${host.error.code}: ${host.error.message}); ${since}.`]
  })
  return lines.length > 0 ? `\n${lines.join('\n')}` : ''
}

export const guestTable = (guests: readonly GuestView[]): string =>
  table(
    ['VMID', 'NAME', 'NODE', 'STATUS', 'CPU', 'MEMORY', 'DISK', 'UP', 'TAGS', 'LOCK'],
    guests.map((guest) => [
      String(guest.vmid),
      guest.name,
      guest.node,
      guest.template ? 'template' : guest.status,
      guest.status === 'running' ? `${Math.round(guest.cpu * 100)}% of ${guest.cpus}` : `- of ${guest.cpus}`,
      guest.status === 'running' ? usage(guest.memory, guest.maxMemory) : `- of ${bytes(guest.maxMemory)}`,
      // Proxmox tells how much of a disk is used for containers only.
      guest.disk > 0 ? usage(guest.disk, guest.maxDisk) : `? of ${bytes(guest.maxDisk)}`,
      guest.status === 'running' ? duration(guest.uptime) : '-',
      guest.tags.join(';') || '-',
      guest.lock ?? '-'
    ])
  )

/** Guests as `101 caddy running`, in a paragraph for each node: for fleets whose table would be too long. */
export function guestNames(guests: readonly GuestView[]): string {
  const nodes = [...new Set(guests.map((guest) => guest.node))]
  const named = nodes.map((node) => {
    const here = guests.filter((guest) => guest.node === node)
    return `${node}: ${here.map((guest) => `${guest.vmid} ${guest.name} ${guest.template ? 'template' : guest.status}`).join(', ')}`
  })
  return `${named.join('\n')}\nTheir figures are left out here because there are so many: ask for one node or one guest.`
}

export const storageTable = (storages: readonly StorageView[]): string =>
  table(
    ['NAME', 'NODE', 'TYPE', 'CONTENT', 'STATE', 'USED', 'FREE'],
    storages.map((storage) => [
      storage.name,
      storage.node,
      storage.type,
      storage.content.join(','),
      `${storage.active ? 'active' : 'inactive'}${storage.shared ? ' shared' : ''}`,
      usage(storage.used, storage.total),
      bytes(storage.total - storage.used)
    ])
  )

export const hostTable = (hosts: readonly HostView[]): string =>
  table(
    ['HOST', 'NODE', 'CONNECTION', 'PVE', 'CPU', 'MEMORY', 'UP'],
    hosts.map((host) => [
      host.name,
      host.node ?? '-',
      host.error ? `${host.connection} (${host.error.code})` : host.connection,
      host.version ?? '-',
      host.cpu === null ? '-' : `${Math.round(host.cpu * 100)}% of ${host.cpus ?? '?'}`,
      host.memory === null ? '-' : usage(host.memory, host.maxMemory ?? 0),
      host.uptime === null ? '-' : duration(host.uptime)
    ])
  )

export const guestData = ({ kind: _kind, tags, ...guest }: GuestView) => ({ ...guest, tags: [...tags] })

export const storageData = (storage: StorageView) => ({
  ...storage,
  content: [...storage.content],
  free: Math.max(0, storage.total - storage.used)
})

export const hostData = (host: HostView) => ({
  name: host.name,
  address: host.address,
  connection: host.connection,
  node: host.node,
  version: host.version,
  cpu: host.cpu,
  cpus: host.cpus,
  memory: host.memory,
  maxMemory: host.maxMemory,
  uptime: host.uptime,
  error: host.error ? `${host.error.code}: ${host.error.message}` : null,
  seenAt: host.seenAt
})

/** `typetype` → `lxc:typetype`; what already names its kind stays as it is. */
export const asTarget = (kind: 'host' | 'lxc' | 'vm', text: string): string =>
  /^(host|lxc|vm):/.test(text.trim()) ? text.trim() : `${kind}:${text.trim()}`

/** The name alone, for sentences: `lxc:typetype@strong` → `typetype`. */
export const bareName = (target: string): string => target.trim().replace(/^(host|lxc|vm|storage):/, '')
