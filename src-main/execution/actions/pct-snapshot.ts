import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { bindMounts, freeSnapshot, snapshotIsThere } from './snapshots'

const params = z.strictObject({
  name: field.snapshotName,
  description: field.description.default('')
})
type Params = z.output<typeof params>

/** Takes a snapshot of a container. */
export const pctSnapshot: Action<Params, null> = {
  name: 'pct_snapshot',
  title: 'Take a snapshot',
  description: 'Takes a snapshot of a container, to roll back to. Not possible with bind mounts.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    const binds = bindMounts(guest.value.config)
    if (binds.length > 0)
      return fail(
        'snapshot_not_possible',
        `${nameOf(place.value)} has bind mounts (${binds.join(', ')}): it cannot be snapshotted.`,
        'Make a backup with vzdump instead; it covers its volumes, not the bind mounts.',
        { guest: nameOf(place.value), mounts: binds }
      )
    const free = await freeSnapshot(world, place.value, wished.name)
    return free.ok ? ok({ place: place.value, params: wished, facts: null }) : free
  },

  risk: () => 'config_mutation',
  sentence: ({ place, params: p }) => `Take snapshot ${p.name} of ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    {
      step: 'snapshot',
      argv: [
        'pct',
        'snapshot',
        vmidOf(place),
        p.name,
        ...(p.description === '' ? [] : ['--description', p.description])
      ]
    }
  ],
  undo: ({ params: p }) => `Delete the snapshot ${p.name}.`,

  verify: (world, { place, params: p }) => snapshotIsThere(world, place, p.name)
}
