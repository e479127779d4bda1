import { z } from 'zod'
import type { Action } from './action'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
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

  preflight: (world, target, wished) => prepareGuest(world, target, wished),

  risk: () => 'service_action',
  sentence: ({ place }) => `Start virtual machine ${nameOf(place)}`,
  commands: ({ place }) => [{ step: 'start', argv: ['qm', 'start', vmidOf(place)] }],
  undo: ({ place }) => `vm_shutdown vm:${vmidOf(place)} stops it again.`,
  leaves: () => 'running',
  alreadyDone: (_, end) => /VM \d+ already running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'running')
}
