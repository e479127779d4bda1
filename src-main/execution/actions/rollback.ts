import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'
import { needSnapshot } from './snapshots'

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
    const prepared = await prepareGuest(world, target, wished)
    if (!prepared.ok) return prepared
    const there = await needSnapshot(world, prepared.value.place, wished.snapshot)
    return there.ok ? prepared : there
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
