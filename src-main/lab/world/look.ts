import type { Guest, Machine, Node, Storage, World } from './types'

const kib = 1024
const mib = 1024 ** 2
const gib = 1024 ** 3

/** The name a guest goes by. */
export const nameOf = (guest: Guest): string =>
  guest.config['hostname'] ?? guest.config['name'] ?? `${guest.kind === 'vm' ? 'VM' : 'CT'} ${guest.vmid}`

export const guestsOn = (world: World, node: string, kind?: Guest['kind']): Guest[] =>
  Object.values(world.guests)
    .filter((guest) => guest.node === node && (kind === undefined || guest.kind === kind))
    .sort((a, b) => a.vmid - b.vmid)

const insideOf = (world: World, guest: Guest): Machine | undefined => world.machines[`lxc:${guest.vmid}`]

/** Lowest free VMID from 100 on, as `/cluster/nextid` gives it. */
export function nextId(world: World): number {
  let id = 100
  while (world.guests[id]) id++
  return id
}

/** A wave between -1 and 1 with a period of some minutes; each guest has its own phase. */
const wave = (now: number, phase: number) =>
  (Math.sin(now / 41_000 + phase) + Math.sin(now / 173_000 + phase * 2.7)) / 2

export interface Usage {
  /** Fraction of the guest's cores. */
  readonly cpu: number
  readonly cores: number
  readonly memory: number
  readonly maxMemory: number
  readonly disk: number
  readonly maxDisk: number
  readonly uptime: number
}

/** What a guest uses at a moment; it moves a little with time. */
export function usageOf(guest: Guest, now: number): Usage {
  const running = guest.status === 'running'
  const maxMemory = Number(guest.config['memory'] ?? 512) * mib
  const moving = 1 + 0.25 * wave(now, guest.vmid)
  return {
    cpu: running ? Math.max(0, Math.min(1, guest.cpuBase * moving)) : 0,
    cores: Number(guest.config['cores'] ?? 1),
    memory: running
      ? Math.round((maxMemory * guest.memoryBase * (1 + 0.04 * wave(now, guest.vmid + 1))) / kib) * kib
      : 0,
    maxMemory,
    disk: guest.kind === 'vm' || !running ? 0 : guest.diskUsed,
    maxDisk: diskOf(guest),
    uptime: running && guest.startedAt !== null ? Math.max(0, Math.floor((now - guest.startedAt) / 1000)) : 0
  }
}

const units: Readonly<Record<string, number>> = { K: kib, M: mib, G: gib, T: 1024 * gib }

/** Bytes in `8G`, `512M`; a bare number is bytes. */
export function sizeInBytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMGT])?$/.exec(text)
  if (!match) return null
  return Math.round(Number(match[1]) * (match[2] ? (units[match[2]] ?? 1) : 1))
}

const volumeKeys = /^(rootfs|mp\d+|scsi\d+|virtio\d+|sata\d+|ide\d+)$/

/** Size of the guest's first disk in bytes. */
export const diskOf = (guest: Guest): number => volumesOf(guest)[0]?.bytes ?? 0

/** Volumes of a guest on storages (bind mounts are not). */
export function volumesOf(guest: Guest): { key: string; storage: string; name: string; bytes: number }[] {
  return Object.entries(guest.config)
    .filter(([key]) => volumeKeys.test(key))
    .flatMap(([key, value]) => {
      const match = /^([A-Za-z0-9-]+):([^,]+)(?:,.*)?$/.exec(value)
      const size = /(?:^|,)size=([^,]+)/.exec(value)?.[1]
      if (!match || value.startsWith('/')) return []
      return [{ key, storage: match[1] ?? '', name: match[2] ?? '', bytes: sizeInBytes(size ?? '0') ?? 0 }]
    })
    .sort((a, b) => Number(b.key === 'rootfs') - Number(a.key === 'rootfs'))
}

/** Bytes in use on a storage: a thin pool counts what guests wrote, plus the templates of a folder. */
export function usedOf(world: World, node: Node, storage: Storage): number {
  const volumes = guestsOn(world, node.name).flatMap((guest) =>
    volumesOf(guest)
      .filter((volume) => volume.storage === storage.name)
      .map((volume) =>
        volume.key === 'rootfs' ? Math.min(volume.bytes, guest.diskUsed) : Math.round(volume.bytes * 0.6)
      )
  )
  const templates = storage.templates.reduce((sum, name) => sum + templateBytes(name), 0)
  return storage.base + templates + volumes.reduce((sum, bytes) => sum + bytes, 0)
}

export const templateBytes = (name: string): number =>
  name.startsWith('alpine') ? 3_104_768 : name.startsWith('ubuntu') ? 141_684_224 : 126_515_062

/** CPU and memory of a node: its own use and that of its guests. */
export function nodeUsage(
  world: World,
  node: Node,
  now: number
): { cpu: number; memory: number; uptime: number } {
  const guests = guestsOn(world, node.name).map((guest) => usageOf(guest, now))
  const cpu =
    node.cpuBase * (1 + 0.3 * wave(now, node.cpus)) +
    guests.reduce((s, u) => s + u.cpu * u.cores, 0) / node.cpus
  const memory = node.memory * node.memoryBase + guests.reduce((s, u) => s + u.memory, 0)
  return {
    cpu: Math.min(1, cpu),
    memory: Math.min(node.memory, Math.round(memory / kib) * kib),
    uptime: Math.floor((now - node.bootedAt) / 1000)
  }
}

/** The container or node a name or address on the lab's network leads to. */
export function machineAt(world: World, name: string): Machine | null {
  const bare = name.replace(/\.(lan|local|home|hubris\.network)$/, '')
  for (const node of Object.values(world.nodes)) {
    if (node.name === bare || node.address === name) return world.machines[`host:${node.name}`] ?? null
  }
  for (const guest of Object.values(world.guests)) {
    if (guest.kind !== 'lxc' || guest.status !== 'running') continue
    if (nameOf(guest) === bare || guest.address === name) return insideOf(world, guest) ?? null
  }
  return null
}

/** The active service that listens on a port of a machine. */
export const listenerOn = (machine: Machine, port: number) =>
  Object.values(machine.services).find((unit) => unit.active === 'active' && unit.ports.includes(port)) ??
  null
