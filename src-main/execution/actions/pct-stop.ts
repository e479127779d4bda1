import { z } from 'zod'
import { ok } from '../../base/result'
import type { Action } from './action'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
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

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    return guest.ok ? ok({ place: place.value, params: wished, facts: null }) : guest
  },

  risk: () => 'destructive',
  sentence: ({ place }) => `Stop container ${nameOf(place)} at once, without shutting it down`,
  commands: ({ place }) => [{ step: 'stop', argv: ['pct', 'stop', vmidOf(place)] }],
  undo: ({ place }) => `pct_start lxc:${vmidOf(place)} starts it again; what it had not written is lost.`,
  leaves: () => 'stopped',
  alreadyDone: (_, end) => /CT \d+ not running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'stopped')
}
