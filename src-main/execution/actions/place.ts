import { fail, ok, type Result } from '../../base/result'
import type { ResolvedTarget, TargetName } from '../../fleet/port'
import { formatTarget } from '../../fleet/target-name'
import type { ActionPlace, ActionWorld, GuestStatus, PlannedGuest } from './action'

/** Where a target is: among the guests of the same plan first, then on the fleet. Errors: as `Fleet.resolve`. */
export async function findPlace(world: ActionWorld, target: TargetName): Promise<Result<ActionPlace>> {
  const planned = world.planned.find((guest) => means(target, guest))
  if (planned?.status === 'gone')
    return fail(
      'target_not_found',
      `${formatTarget(target)} will have been destroyed by an earlier step.`,
      undefined,
      { target: formatTarget(target) }
    )
  if (planned) return ok(placeOfPlanned(target, planned, planned.status))
  const resolved = await world.fleet.resolve(formatTarget(target))
  return resolved.ok ? ok(placeOfResolved(target, resolved.value)) : resolved
}

const means = (target: TargetName, guest: PlannedGuest): boolean =>
  guest.kind === target.kind &&
  (guest.name === target.id || String(guest.vmid) === target.id) &&
  (target.node === null || target.node === guest.node || target.node === guest.host)

const placeOfPlanned = (target: TargetName, guest: PlannedGuest, status: GuestStatus): ActionPlace => ({
  target,
  host: guest.host,
  node: guest.node,
  cluster: guest.cluster,
  vmid: guest.vmid,
  guestName: guest.name,
  resolved: guest.resolved,
  plannedStatus: status
})

const placeOfResolved = (target: TargetName, resolved: ResolvedTarget): ActionPlace => ({
  target,
  host: resolved.host,
  node: resolved.node,
  cluster: resolved.cluster,
  vmid: resolved.kind === 'host' ? null : resolved.guest.vmid,
  guestName: resolved.kind === 'host' ? null : resolved.guest.name,
  resolved,
  plannedStatus: null
})

/** A guest's place: the VMID is there. */
export interface GuestPlace extends ActionPlace {
  readonly vmid: number
}

/** Like `findPlace`, for a guest. */
export async function findGuest(world: ActionWorld, target: TargetName): Promise<Result<GuestPlace>> {
  const place = await findPlace(world, target)
  if (!place.ok) return place
  const { vmid } = place.value
  return vmid === null
    ? fail('target_invalid', `${formatTarget(target)} is not a guest.`, undefined, {
        target: formatTarget(target)
      })
    : ok({ ...place.value, vmid })
}

/** "typetype (105) on strong", or "strong". */
export const nameOf = (place: ActionPlace): string =>
  place.vmid === null ? place.host : `${place.guestName ?? 'guest'} (${place.vmid}) on ${place.node}`

/** The VMID as a word of a command line. */
export const vmidOf = (place: ActionPlace): string => String(place.vmid ?? '')
