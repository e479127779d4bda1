import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import { look, readConfig } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { eventually, proof } from './proof'

const params = z.strictObject({
  purge: z.boolean().default(false).describe('Also take it out of backup, replication and HA jobs.')
})
type Params = z.output<typeof params>

/** Protection is set on purpose: the wish to destroy does not say that it was thought of. */
const protectedHint = (vmid: string): string =>
  'Somebody protected it on purpose: tell the operator so and ask whether it is to go all the same. Only then request ' +
  `pct_set lxc:${vmid} with protection false by itself, which asks on its own, and after it pct_destroy.`

/** Destroys a container and its disks. */
export const pctDestroy: Action<Params, null> = {
  name: 'pct_destroy',
  title: 'Destroy a container',
  description:
    'Destroys a stopped container with its disks and snapshots. Refused while it runs: request pct_shutdown first. ' +
    'Always asks on its own.',
  targets: ['lxc'],
  params,
  baseRisk: 'destructive',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    const { status, config } = guest.value
    if (config.get('protection') === '1')
      return fail(
        'guest_protected',
        `${nameOf(place.value)} is protected against being destroyed.`,
        protectedHint(vmidOf(place.value)),
        { guest: nameOf(place.value) }
      )
    if (status !== 'stopped')
      return fail(
        'guest_running',
        `${nameOf(place.value)} is ${status}: only a stopped container is destroyed.`,
        `Request pct_shutdown lxc:${vmidOf(place.value)} first, then pct_destroy again.`,
        { guest: nameOf(place.value) }
      )
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'destructive',
  sentence: ({ place }) => `Destroy container ${nameOf(place)} with its disks`,
  commands: ({ place, params: p }) => [
    { step: 'destroy', argv: ['pct', 'destroy', vmidOf(place), ...(p.purge ? ['--purge', '1'] : [])] }
  ],
  undo: () => 'Cannot be undone; only a backup brings it back.',
  leaves: () => 'gone',

  verify: (world, { place }) =>
    eventually(world, async () => {
      const config = await readConfig(world, place)
      if (config.ok) return proof(false, `${nameOf(place)} still exists.`, 'guest_there', { there: true })
      return config.error.code === 'guest_gone'
        ? proof(true, `${nameOf(place)} is gone.`, 'guest_absent')
        : config
    })
}
