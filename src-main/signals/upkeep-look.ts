import { z } from 'zod'
import type { FleetView, GuestView } from '../../src-preload/contract'
import { nameOf, runInside, type Inside } from '../fleet/inside/run-inside'
import { parseUpgradable } from '../fleet/inside/upgradable'
import type { ResolvedTarget } from '../fleet/port'
import { newerKernel } from './kernel'
import { covering, guestSubject, guestTarget, guestWords } from './names'
import type { Condition, Look } from './port'
import { placed, subjectOf, targetName } from './units-look'

/** A weekly backup with a day to spare. Milliseconds. */
const backupStaleAfter = 8 * 24 * 3600_000
const nothing: Look = { conditions: [], covers: new Set() }

/** Packages that apt would upgrade, as of the package lists that are there. */
export async function lookAtUpdates(
  inside: Inside,
  place: ResolvedTarget,
  signal: AbortSignal
): Promise<Look> {
  const ran = await runInside(inside, place, ['apt', 'list', '--upgradable'], { timeoutMs: 60_000, signal })
  if (!ran.ok || ran.value.code !== 0) return nothing
  const updates = parseUpgradable(ran.value.stdout)
  const security = updates.filter((update) => update.security).length
  const covers = new Set([covering('updates_waiting', subjectOf(place))])
  if (updates.length === 0) return { conditions: [], covers }
  const many = `${updates.length} ${security === updates.length ? 'security ' : ''}${updates.length === 1 ? 'update waits' : 'updates wait'}`
  const some = security > 0 && security < updates.length ? `, ${security} for security` : ''
  return {
    covers,
    conditions: [
      {
        kind: 'updates_waiting',
        subject: subjectOf(place),
        about: '',
        level: 'info',
        target: targetName(place),
        host: place.host,
        facts: {
          ...placed(place),
          ...{ updates: updates.length, security },
          packages: updates.slice(0, 8).map(({ name }) => name)
        },
        title: `${many} ${place.kind === 'host' ? 'on' : 'in'} ${nameOf(place)}${some}`,
        detail: `${updates
          .slice(0, 8)
          .map(({ name }) => name)
          .join(', ')}${updates.length > 8 ? ', …' : ''}`,
        action: {
          action: 'apt_upgrade',
          target: targetName(place),
          params: {},
          why: `${many}${some}.`
        }
      }
    ]
  }
}

/**
 * Whether a host waits for a reboot: Debian's own mark (`/run/reboot-required`), or a newer kernel in `/boot` than the
 * one that runs, because Proxmox VE sets no mark.
 */
const rebootScript =
  'test -e /run/reboot-required && echo reboot-required; uname -r; ls /boot 2>/dev/null; true'

export async function lookAtReboot(
  inside: Inside,
  place: ResolvedTarget & { kind: 'host' },
  signal: AbortSignal
): Promise<Look> {
  const ran = await runInside(inside, place, ['sh', '-c', rebootScript], { signal })
  if (!ran.ok || ran.value.code !== 0) return nothing
  const lines = ran.value.stdout.split('\n').map((line) => line.trim())
  const marked = lines[0] === 'reboot-required'
  const newer = newerKernel(lines[marked ? 1 : 0] ?? '', lines)
  const covers = new Set([covering('reboot_needed', subjectOf(place))])
  if (!marked && newer === null) return { conditions: [], covers }
  return {
    covers,
    conditions: [
      {
        kind: 'reboot_needed',
        subject: subjectOf(place),
        about: '',
        level: 'warning',
        target: targetName(place),
        host: place.host,
        title: `${place.host} needs a reboot`,
        detail:
          newer === null
            ? 'Installed updates take effect then.'
            : `Kernel ${newer} is installed but not running.`,
        facts: { host: place.host, kernel: newer },
        action: null
      }
    ]
  }
}

const contentEntry = z.object({
  vmid: z.coerce.number().int().positive(),
  ctime: z.coerce.number().positive()
})

/** Guests whose newest backup is old. One without any backup may not be meant to have one, and is not told. */
export async function lookAtBackups(
  { fleet }: Inside,
  view: FleetView,
  host: string,
  now: number
): Promise<Look> {
  const storages = view.storages.filter(
    (each) => each.host === host && each.active && each.content.includes('backup')
  )
  const newest = new Map<number, number>()
  for (const storage of storages) {
    const path = `/nodes/${storage.node}/storage/${storage.name}/content`
    const answer = await fleet.pvesh(host, path, ['--content', 'backup'])
    if (!answer.ok || !Array.isArray(answer.value)) return nothing
    for (const entry of answer.value as unknown[]) {
      const read = contentEntry.safeParse(entry)
      if (read.success)
        newest.set(read.data.vmid, Math.max(newest.get(read.data.vmid) ?? 0, read.data.ctime * 1000))
    }
  }
  const backedUp = view.guests.filter((guest) => guest.host === host && newest.has(guest.vmid))
  return {
    covers: new Set(backedUp.map((guest) => covering('backup_stale', guestSubject(guest)))),
    conditions: backedUp.flatMap((guest) => {
      const age = now - (newest.get(guest.vmid) ?? now)
      return age > backupStaleAfter ? [stale(guest, age)] : []
    })
  }
}

const stale = (guest: GuestView, age: number): Condition => ({
  kind: 'backup_stale',
  subject: guestSubject(guest),
  about: '',
  level: 'warning',
  target: guestTarget(guest),
  host: guest.host,
  title: `The newest backup of ${guestWords(guest)} is ${Math.floor(age / 86_400_000)} days old`,
  detail: 'Look at the backup jobs of the cluster and their last tasks.',
  facts: { guest: guestWords(guest), days: Math.floor(age / 86_400_000) },
  action: null
})
