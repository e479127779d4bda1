import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { freeSnapshot, snapshotIsThere } from './snapshots'

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
    const prepared = await prepareGuest(world, target, wished)
    if (!prepared.ok) return prepared
    const free = await freeSnapshot(world, prepared.value.place, wished.name)
    return free.ok ? prepared : free
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

  verify: (world, { place, params: p }) => snapshotIsThere(world, place, p.name)
}
