import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({})
type Params = z.output<typeof params>

/** Starts a container. */
export const pctStart: Action<Params, null> = {
  name: 'pct_start',
  title: 'Start a container',
  description: 'Starts a container. One that runs already is a success.',
  targets: ['lxc'],
  params,
  baseRisk: 'service_action',
  timeLimit: 180,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    if (guest.value.config.get('template') === '1')
      return fail(
        'guest_is_template',
        `${nameOf(place.value)} is a template.`,
        'Clone it with pct_clone and start the clone.',
        { guest: nameOf(place.value) }
      )
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'service_action',
  sentence: ({ place }) => `Start container ${nameOf(place)}`,
  commands: ({ place }) => [{ step: 'start', argv: ['pct', 'start', vmidOf(place)] }],
  undo: ({ place }) => `pct_shutdown lxc:${vmidOf(place)} stops it again.`,
  leaves: () => 'running',
  alreadyDone: (_, end) => /CT \d+ already running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'running')
}
