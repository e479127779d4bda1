import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'
import { listSnapshots } from './snapshots'

const params = z.strictObject({
  name: field.snapshotName,
  description: field.description.default('')
})
type Params = z.output<typeof params>

/** Takes a snapshot of a virtual machine. */
export const vmSnapshot: Action<Params, null> = {
  name: 'vm_snapshot',
  title: 'Take a snapshot',
  description: 'Takes a snapshot of a virtual machine, to roll back to.',
  targets: ['vm'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    if (place.value.resolved !== null) {
      const there = await listSnapshots(world, place.value)
      if (!there.ok) return there
      if (there.value.includes(wished.name))
        return fail(
          'snapshot_exists',
          `${nameOf(place.value)} has a snapshot ${wished.name} already.`,
          'Take another name.'
        )
    }
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'config_mutation',
  sentence: ({ place, params: p }) => `Take snapshot ${p.name} of ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    {
      step: 'snapshot',
      argv: [
        'qm',
        'snapshot',
        vmidOf(place),
        p.name,
        ...(p.description === '' ? [] : ['--description', p.description])
      ]
    }
  ],
  undo: ({ params: p }) => `Delete the snapshot ${p.name}.`,

  async verify(world, { place, params: p }) {
    const there = await listSnapshots(world, place)
    if (!there.ok) return there
    const isThere = there.value.includes(p.name)
    return proof(isThere, `Snapshot ${p.name} of ${nameOf(place)} ${isThere ? 'is there' : 'is not there'}.`)
  }
}
