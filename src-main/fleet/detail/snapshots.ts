import { z } from 'zod'
import type { SnapshotView } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { Fleet, ResolvedTarget } from '../port'
import { guestPath, rows } from './paths'

/** `/nodes/N/{lxc,qemu}/ID/snapshot`. */
const entry = z.object({
  name: z.string().min(1),
  description: z.string().catch(''),
  snaptime: z.coerce.number().nullable().catch(null),
  parent: z.string().nullable().catch(null)
})

/** Snapshots of a guest, the oldest first. Errors: `target_invalid` for a host, and as `Fleet.pvesh`. */
export async function listSnapshots(fleet: Fleet, target: ResolvedTarget): Promise<Result<SnapshotView[]>> {
  if (target.kind === 'host')
    return fail('target_invalid', 'Only containers and virtual machines have snapshots.')
  const { guest, host, node, kind } = target
  const answer = await fleet.pvesh(host, `${guestPath(node, kind, guest.vmid)}/snapshot`)
  if (!answer.ok) return answer
  return ok(
    rows(entry, answer.value)
      // "current" is the guest as it is, not a snapshot.
      .filter(({ name }) => name !== 'current')
      .map(({ snaptime, ...snapshot }) => ({
        ...snapshot,
        takenAt: snaptime === null ? null : snaptime * 1000
      }))
      .sort((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0))
  )
}
