import { z } from 'zod'
import type { Action } from './action'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({})
type Params = z.output<typeof params>

/** Stops a container at once, as pulling its plug would. */
export const pctStop: Action<Params, null> = {
  name: 'pct_stop',
  title: 'Stop a container at once',
  description:
    'Kills every process of a container: what it has not written is lost. Use pct_shutdown unless that failed.',
  targets: ['lxc'],
  params,
  baseRisk: 'destructive',
  timeLimit: 120,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished),

  risk: () => 'destructive',
  sentence: ({ place }) => `Stop container ${nameOf(place)} at once, without shutting it down`,
  commands: ({ place }) => [{ step: 'stop', argv: ['pct', 'stop', vmidOf(place)] }],
  undo: ({ place }) => `pct_start lxc:${vmidOf(place)} starts it again; what it had not written is lost.`,
  leaves: () => 'stopped',
  alreadyDone: (_, end) => /CT \d+ not running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'stopped')
}
