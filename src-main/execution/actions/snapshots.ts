import type { Verification } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { ActionPlace, ActionWorld } from './action'
import { program, read, readConfig, type GuestConfig } from './guest-state'
import { nameOf, vmidOf } from './place'
import { proof } from './proof'

/** Names of a guest's snapshots; `listsnapshot` draws a tree that ends in `current`. */
export async function listSnapshots(
  world: ActionWorld,
  place: ActionPlace
): Promise<Result<readonly string[]>> {
  const listed = await read(world, place.host, [program(place), 'listsnapshot', vmidOf(place)])
  if (!listed.ok) return listed
  if (listed.value.code !== 0)
    return fail(
      'snapshots_unreadable',
      `The snapshots of ${nameOf(place)} cannot be listed: ${listed.value.stderr.trim()}`,
      undefined,
      { guest: nameOf(place), line: listed.value.stderr.trim() }
    )
  const names = [...listed.value.stdout.matchAll(/^[\s`|]*->\s+(\S+)/gm)].flatMap((found) => found[1] ?? [])
  return { ok: true, value: names.filter((name) => name !== 'current') }
}

/** The error when a snapshot that is needed is not there. */
const snapshotMissing = (place: ActionPlace, name: string, there: readonly string[]): Result<never> =>
  fail(
    'snapshot_not_found',
    `${nameOf(place)} has no snapshot ${name}.`,
    there.length > 0 ? `It has: ${there.join(', ')}.` : 'It has none.',
    { guest: nameOf(place), snapshot: name, snapshots: there }
  )

/**
 * Whether the guest has the snapshot that is needed; of a guest that does not exist yet nothing is known.
 * Error: `snapshot_not_found`.
 */
export async function needSnapshot(
  world: ActionWorld,
  place: ActionPlace,
  name: string
): Promise<Result<null>> {
  if (place.resolved === null) return ok(null)
  const there = await listSnapshots(world, place)
  if (!there.ok) return there
  return there.value.includes(name) ? ok(null) : snapshotMissing(place, name, there.value)
}

/**
 * Whether a snapshot holds the memory of its guest, as one of a running VM can. Proxmox starts the VM then when it is
 * rolled back (the API's description of `qemu/{vmid}/snapshot/{snapname}/rollback`).
 */
export async function holdsMemory(
  world: ActionWorld,
  place: ActionPlace,
  name: string
): Promise<Result<boolean>> {
  if (place.target.kind !== 'vm' || place.resolved === null) return ok(false)
  const config = await readConfig(world, place, name)
  return config.ok ? ok(config.value.has('vmstate')) : config
}

/** Whether a new snapshot can have the name. Error: `snapshot_exists`. */
export async function freeSnapshot(
  world: ActionWorld,
  place: ActionPlace,
  name: string
): Promise<Result<null>> {
  if (place.resolved === null) return ok(null)
  const there = await listSnapshots(world, place)
  if (!there.ok) return there
  return there.value.includes(name)
    ? fail('snapshot_exists', `${nameOf(place)} has a snapshot ${name} already.`, 'Take another name.', {
        guest: nameOf(place),
        snapshot: name
      })
    : ok(null)
}

/** The proof that a snapshot was taken. */
export async function snapshotIsThere(
  world: ActionWorld,
  place: ActionPlace,
  name: string
): Promise<Result<Verification>> {
  const there = await listSnapshots(world, place)
  if (!there.ok) return there
  const isThere = there.value.includes(name)
  const summary = `Snapshot ${name} of ${nameOf(place)} ${isThere ? 'is there' : 'is not there'}.`
  return proof(isThere, summary, 'snapshot', { name, there: isThere })
}

/** Bind mounts make snapshots impossible (pve-container `PVE/LXC/Config.pm`). */
export const bindMounts = (config: GuestConfig): readonly string[] =>
  [...config].flatMap(([key, value]) => (/^mp\d+$/.test(key) && value.startsWith('/') ? [key] : []))
