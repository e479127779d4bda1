import { z } from 'zod'
import { ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { statusIs } from './proof'
import { listSnapshots, snapshotMissing } from './snapshots'

const params = z.strictObject({
  snapshot: field.snapshotName,
  start: z.boolean().default(false).describe('Start it afterwards.')
})
type Params = z.output<typeof params>

/** Puts a container back to a snapshot. */
export const pctRollback: Action<Params, null> = {
  name: 'pct_rollback',
  title: 'Roll a container back',
  description:
    'Puts a container back to a snapshot: everything since is lost. A running one is stopped at once and stays stopped ' +
    'unless start is given.',
  targets: ['lxc'],
  params,
  baseRisk: 'destructive',
  timeLimit: 900,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    if (place.value.resolved !== null) {
      const there = await listSnapshots(world, place.value)
      if (!there.ok) return there
      if (!there.value.includes(wished.snapshot))
        return snapshotMissing(place.value, wished.snapshot, there.value)
    }
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'destructive',
  sentence: ({ place, params: p }) => `Roll container ${nameOf(place)} back to ${p.snapshot}`,
  commands: ({ place, params: p }) => [
    {
      step: 'rollback',
      argv: ['pct', 'rollback', vmidOf(place), p.snapshot, ...(p.start ? ['--start', '1'] : [])]
    }
  ],
  undo: () => 'Cannot be undone: what happened since the snapshot is lost.',
  leaves: ({ params: p }) => (p.start ? 'running' : 'stopped'),
  verify: (world, { place, params: p }) => statusIs(world, place, p.start ? 'running' : 'stopped')
}
