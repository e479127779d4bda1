import { fail, type Result } from '../../base/result'
import type { ActionPlace, ActionWorld } from './action'
import { read, type GuestConfig } from './guest-state'
import { nameOf, vmidOf } from './place'

/** Names of a guest's snapshots; `listsnapshot` draws a tree that ends in `current`. */
export async function listSnapshots(
  world: ActionWorld,
  place: ActionPlace
): Promise<Result<readonly string[]>> {
  const program = place.target.kind === 'vm' ? 'qm' : 'pct'
  const listed = await read(world, place.host, [program, 'listsnapshot', vmidOf(place)])
  if (!listed.ok) return listed
  if (listed.value.code !== 0)
    return fail(
      'snapshots_unreadable',
      `The snapshots of ${nameOf(place)} cannot be listed: ${listed.value.stderr.trim()}`
    )
  const names = [...listed.value.stdout.matchAll(/^[\s`|]*->\s+(\S+)/gm)].flatMap((found) => found[1] ?? [])
  return { ok: true, value: names.filter((name) => name !== 'current') }
}

/** The error when a snapshot that is needed is not there. */
export const snapshotMissing = (place: ActionPlace, name: string, there: readonly string[]): Result<never> =>
  fail(
    'snapshot_not_found',
    `${nameOf(place)} has no snapshot ${name}.`,
    there.length > 0 ? `It has: ${there.join(', ')}.` : 'It has none.'
  )

/** Bind mounts make snapshots impossible (pve-container `PVE/LXC/Config.pm`). */
export const bindMounts = (config: GuestConfig): readonly string[] =>
  [...config].flatMap(([key, value]) => (/^mp\d+$/.test(key) && value.startsWith('/') ? [key] : []))
