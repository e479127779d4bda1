import { fail, ok, type Result } from '../../base/result'
import type { ActionWorld } from './action'

const highest = 999_999_999

/**
 * A VMID for a new guest: the wished one if it is free, else the next free one that nobody else has been promised.
 * Proxmox does not reserve what it names as next, so creates on a cluster are done one after the other.
 * Error: `vmid_taken`.
 */
export async function freeVmid(
  world: ActionWorld,
  host: string,
  cluster: string,
  wished: number | undefined
): Promise<Result<number>> {
  const used = new Map(
    world.fleet
      .guests()
      .flatMap((guest) => (guest.cluster === cluster ? [[guest.vmid, guest.name] as const] : []))
  )
  if (wished !== undefined) return isFree(world, host, wished, used)
  const next = await world.fleet.pvesh(host, '/cluster/nextid')
  if (!next.ok) return next
  let vmid = Number(next.value)
  if (!Number.isSafeInteger(vmid) || vmid < 100)
    return fail('pvesh_failed', `${host} names no next VMID.`, undefined, { host })
  const reserved = world.reserved(cluster)
  const planned = new Set(world.planned.map((guest) => guest.vmid))
  while (used.has(vmid) || reserved.has(vmid) || planned.has(vmid)) vmid++
  return vmid > highest
    ? fail('vmid_taken', 'There is no free VMID left.', undefined, { none: true })
    : ok(vmid)
}

async function isFree(
  world: ActionWorld,
  host: string,
  vmid: number,
  used: ReadonlyMap<number, string>
): Promise<Result<number>> {
  const taken = (by: string) =>
    fail('vmid_taken', `VMID ${vmid} is in use${by}.`, 'Leave vmid out: the next free one is picked.', {
      vmid
    })
  if (world.planned.some((guest) => guest.vmid === vmid && guest.status !== 'gone'))
    return taken(' by an earlier step of this plan')
  const name = used.get(vmid)
  if (name !== undefined) return taken(` by ${name}`)
  const asked = await world.fleet.pvesh(host, '/cluster/nextid', ['--vmid', String(vmid)])
  if (asked.ok) return ok(vmid)
  return asked.error.code === 'pvesh_failed' ? taken('') : asked
}
