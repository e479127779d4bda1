import { z } from 'zod'
import { ok } from '../../base/result'
import type { Action } from './action'
import { look } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({})
type Params = z.output<typeof params>

/** Starts a virtual machine. One that runs already is a success. */
export const vmStart: Action<Params, null> = {
  name: 'vm_start',
  title: 'Start a virtual machine',
  description: 'Starts a virtual machine. One that runs already is a success.',
  targets: ['vm'],
  params,
  baseRisk: 'service_action',
  timeLimit: 300,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    return guest.ok ? ok({ place: place.value, params: wished, facts: null }) : guest
  },

  risk: () => 'service_action',
  sentence: ({ place }) => `Start virtual machine ${nameOf(place)}`,
  commands: ({ place }) => [{ step: 'start', argv: ['qm', 'start', vmidOf(place)] }],
  undo: ({ place }) => `vm_shutdown vm:${vmidOf(place)} stops it again.`,
  leaves: () => 'running',
  alreadyDone: (_, end) => /VM \d+ already running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'running')
}
