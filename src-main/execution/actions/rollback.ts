import { z } from 'zod'
import { ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { kindWord, prepareGuest, program } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'
import { holdsMemory, needSnapshot } from './snapshots'

const params = z.strictObject({
  snapshot: field.snapshotName,
  start: z.boolean().default(false).describe('Start it afterwards.')
})
type Params = z.output<typeof params>

interface Facts {
  /** The snapshot of a VM holds its memory: Proxmox lets it run on from there, asked to or not. */
  readonly withMemory: boolean
}

type Shape = Pick<Action<Params, Facts>, 'name' | 'title' | 'description' | 'targets'>

/** Puts a container back to a snapshot. */
export const pctRollback = rollback({
  name: 'pct_rollback',
  title: 'Roll a container back',
  description:
    'Puts a container back to a snapshot: everything since is lost. A running one is stopped at once and stays stopped ' +
    'unless start is given.',
  targets: ['lxc']
})

/** Puts a virtual machine back to a snapshot. */
export const vmRollback = rollback({
  name: 'vm_rollback',
  title: 'Roll a virtual machine back',
  description:
    'Puts a virtual machine back to a snapshot: everything since is lost. A running one is stopped at once and stays ' +
    'stopped unless start is given, or the snapshot holds its memory: then it runs on from there.',
  targets: ['vm']
})

function rollback(shape: Shape): Action<Params, Facts> {
  return {
    ...shape,
    params,
    baseRisk: 'destructive',
    timeLimit: 900,
    serialise: 'target',

    async preflight(world, target, wished) {
      const prepared = await prepareGuest(world, target, wished)
      if (!prepared.ok) return prepared
      const { place } = prepared.value
      const there = await needSnapshot(world, place, wished.snapshot)
      if (!there.ok) return there
      const withMemory = await holdsMemory(world, place, wished.snapshot)
      return withMemory.ok
        ? ok({ place, params: wished, facts: { withMemory: withMemory.value } })
        : withMemory
    },

    risk: () => 'destructive',
    sentence: ({ place, params: p, facts }) =>
      `Roll ${kindWord(place)} ${nameOf(place)} back to ${p.snapshot}${facts.withMemory ? ', with its memory' : ''}`,
    commands: ({ place, params: p }) => [
      {
        step: 'rollback',
        argv: [program(place), 'rollback', vmidOf(place), p.snapshot, ...(p.start ? ['--start', '1'] : [])]
      }
    ],
    undo: () => 'Cannot be undone: what happened since the snapshot is lost.',
    leaves: (prepared) => endsAs(prepared),
    verify: (world, prepared) => statusIs(world, prepared.place, endsAs(prepared))
  }
}

const endsAs = ({ params: p, facts }: { params: Params; facts: Facts }): 'running' | 'stopped' =>
  p.start || facts.withMemory ? 'running' : 'stopped'
