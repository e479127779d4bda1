import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { kindWord, prepareGuest, program } from './guest-state'
import { nameOf, vmidOf } from './place'
import { proof } from './proof'
import { listSnapshots, needSnapshot } from './snapshots'

const params = z.strictObject({ snapshot: field.snapshotName })
type Params = z.output<typeof params>

type Shape = Pick<Action<Params, null>, 'name' | 'title' | 'description' | 'targets'>

/** Deletes a snapshot of a container. */
export const pctDelsnapshot = delsnapshot({
  name: 'pct_delsnapshot',
  title: 'Delete a snapshot',
  description: 'Deletes a snapshot of a container: nobody can roll back to it any more.',
  targets: ['lxc']
})

/** Deletes a snapshot of a virtual machine. */
export const vmDelsnapshot = delsnapshot({
  name: 'vm_delsnapshot',
  title: 'Delete a snapshot',
  description: 'Deletes a snapshot of a virtual machine: nobody can roll back to it any more.',
  targets: ['vm']
})

function delsnapshot(shape: Shape): Action<Params, null> {
  return {
    ...shape,
    params,
    baseRisk: 'destructive',
    timeLimit: 900,
    serialise: 'target',

    async preflight(world, target, wished) {
      const prepared = await prepareGuest(world, target, wished)
      if (!prepared.ok) return prepared
      const there = await needSnapshot(world, prepared.value.place, wished.snapshot)
      return there.ok ? prepared : there
    },

    risk: () => 'destructive',
    sentence: ({ place, params: p }) =>
      `Delete snapshot ${p.snapshot} of ${kindWord(place)} ${nameOf(place)}`,
    commands: ({ place, params: p }) => [
      { step: 'delete', argv: [program(place), 'delsnapshot', vmidOf(place), p.snapshot] }
    ],
    undo: () => 'Cannot be undone.',

    async verify(world, { place, params: p }) {
      const there = await listSnapshots(world, place)
      if (!there.ok) return there
      const isGone = !there.value.includes(p.snapshot)
      const summary = `Snapshot ${p.snapshot} of ${nameOf(place)} is ${isGone ? 'gone' : 'still there'}.`
      return proof(isGone, summary, 'snapshot', { name: p.snapshot, there: !isGone })
    }
  }
}
