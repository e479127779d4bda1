import type { FleetView, GuestView, HostView, StorageView } from '../../src-preload/contract'
import { between } from '../base/clock'
import { covering, guestSubject, guestTarget, guestWords, hostSubject } from './names'
import type { Condition, Look } from './port'

/** From how full on storages and disks are told. Fractions. */
const full = { warning: 0.85, critical: 0.95 } as const

export interface FleetLookOptions {
  /** Now, and how long a host may be silent before that is told. Milliseconds. */
  readonly now: number
  readonly patience: number
  /** Stopped guests that are set to start at boot, and that nobody stopped on purpose. */
  readonly shouldRun: (guest: GuestView) => Promise<boolean | null>
}

/** What the refreshed state of the fleet shows by itself: hosts away, guests down, storages and disks nearly full. */
export async function lookAtFleet(fleet: FleetView, options: FleetLookOptions): Promise<Look> {
  const covers = new Set<string>()
  const conditions: Condition[] = []
  const away = new Set(fleet.hosts.filter((host) => host.error !== null).map((host) => host.name))
  const isKnown = (host: string | null) => host !== null && !away.has(host)

  for (const host of fleet.hosts) {
    covers.add(covering('host_unreachable', hostSubject(host.name)))
    if (isAway(host, options)) conditions.push(unreachable(host, options.now))
  }
  for (const storage of fleet.storages) {
    if (!isKnown(storage.host) || !storage.active) continue
    covers.add(covering('storage_full', storageSubject(storage)))
    const told = storageFull(storage)
    if (told && !conditions.some(({ subject }) => subject === told.subject)) conditions.push(told)
  }
  for (const guest of fleet.guests) {
    if (!isKnown(guest.host) || guest.template || guest.status === 'unknown') continue
    covers.add(covering('disk_full', guestSubject(guest)))
    const told = diskFull(guest)
    if (told) conditions.push(told)
    const shouldRun = guest.status === 'stopped' && guest.lock === null && (await options.shouldRun(guest))
    if (shouldRun === null) continue
    covers.add(covering('guest_stopped', guestSubject(guest)))
    if (shouldRun) conditions.push(stopped(guest))
  }
  return { conditions, covers }
}

const isAway = (host: HostView, { now, patience }: FleetLookOptions): boolean =>
  (host.connection === 'unreachable' || host.connection === 'blocked') &&
  (host.connection === 'blocked' || host.seenAt === null || between(now, host.seenAt) > patience)

const unreachable = (host: HostView, now: number): Condition => ({
  kind: 'host_unreachable',
  subject: hostSubject(host.name),
  about: '',
  level: 'critical',
  target: `host:${host.name}`,
  host: host.name,
  title:
    host.connection === 'blocked'
      ? `${host.name} is blocked: its host key has changed`
      : `${host.name} cannot be reached`,
  detail: [
    host.error?.message,
    host.seenAt === null
      ? 'It was never reached.'
      : `Last seen ${new Date(Math.min(host.seenAt, now)).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  ]
    .filter(Boolean)
    .join(' '),
  facts: {
    blocked: host.connection === 'blocked',
    error: host.error,
    seenAt: host.seenAt === null ? null : Math.min(host.seenAt, now)
  },
  action: null
})

/** A shared storage is one thing, wherever it is seen from. */
const storageSubject = (storage: StorageView): string =>
  storage.shared ? `storage/${storage.name}` : `storage/${storage.node}/${storage.name}`

function storageFull(storage: StorageView): Condition | null {
  const share = storage.total > 0 ? storage.used / storage.total : 0
  if (share < full.warning) return null
  return {
    kind: 'storage_full',
    subject: storageSubject(storage),
    about: '',
    level: share >= full.critical ? 'critical' : 'warning',
    target: `host:${storage.host ?? storage.node}`,
    host: storage.host,
    title: `Storage ${storage.name}${storage.shared ? '' : ` of ${storage.node}`} is ${percent(share)} full`,
    detail: `${gib(storage.total - storage.used)} of ${gib(storage.total)} are free.`,
    facts: {
      storage: storage.name,
      node: storage.shared ? null : storage.node,
      ...room(storage.used, storage.total)
    },
    action: null
  }
}

/** Proxmox tells how full a disk is for containers only. */
function diskFull(guest: GuestView): Condition | null {
  const share = guest.kind === 'lxc' && guest.maxDisk > 0 ? guest.disk / guest.maxDisk : 0
  if (share < full.warning) return null
  return {
    kind: 'disk_full',
    subject: guestSubject(guest),
    about: '',
    level: share >= full.critical ? 'critical' : 'warning',
    target: guestTarget(guest),
    host: guest.host,
    title: `The root disk of ${guestWords(guest)} is ${percent(share)} full`,
    detail: `${gib(guest.maxDisk - guest.disk)} of ${gib(guest.maxDisk)} are free.`,
    facts: { guest: guestWords(guest), ...room(guest.disk, guest.maxDisk) },
    action: null
  }
}

const stopped = (guest: GuestView): Condition => ({
  kind: 'guest_stopped',
  subject: guestSubject(guest),
  about: '',
  level: 'critical',
  target: guestTarget(guest),
  host: guest.host,
  title: `${guestWords(guest)} on ${guest.node} is stopped`,
  detail: 'It is set to start at boot, and was not stopped from here.',
  facts: { guest: guestWords(guest), node: guest.node },
  action: {
    action: guest.kind === 'lxc' ? 'pct_start' : 'vm_start',
    target: guestTarget(guest),
    params: {},
    why: `${guest.name} is set to start at boot but is stopped.`
  }
})

/** Rounded down, so that 94.9 % is not told as the 95 % it is not. */
const percent = (share: number): string => `${Math.round(share * 100)} %`
/** In the units in which it is told: per cent and bytes. */
const room = (used: number, total: number) => ({
  percent: Math.round((used / total) * 100),
  free: total - used,
  total
})
const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`
