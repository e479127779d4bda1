import { z } from 'zod'
import type { Action } from './action'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({})
type Params = z.output<typeof params>

/** Stops a virtual machine as pulling its plug would: what it has not written is lost. Use vm_shutdown unless that failed. */
export const vmStop: Action<Params, null> = {
  name: 'vm_stop',
  title: 'Stop a virtual machine at once',
  description:
    'Stops a virtual machine as pulling its plug would: what it has not written is lost. Use vm_shutdown unless that failed.',
  targets: ['vm'],
  params,
  baseRisk: 'destructive',
  timeLimit: 120,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished),

  risk: () => 'destructive',
  sentence: ({ place }) => `Stop virtual machine ${nameOf(place)} at once, without shutting it down`,
  commands: ({ place }) => [{ step: 'stop', argv: ['qm', 'stop', vmidOf(place)] }],
  undo: ({ place }) => `vm_start vm:${vmidOf(place)} starts it again; what it had not written is lost.`,
  leaves: () => 'stopped',
  alreadyDone: (_, end) => /VM \d+ not running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'stopped')
}
