import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({
  timeoutSeconds: field.seconds(3000).default(180).describe('How long it may take.')
})
type Params = z.output<typeof params>

/** Asks the system in a virtual machine to shut down. One that is stopped already is a success. */
export const vmShutdown: Action<Params, null> = {
  name: 'vm_shutdown',
  title: 'Shut a virtual machine down',
  description: 'Asks the system in a virtual machine to shut down. One that is stopped already is a success.',
  targets: ['vm'],
  params,
  baseRisk: 'service_action',
  timeLimit: 3600,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished),

  risk: () => 'service_action',
  sentence: ({ place }) => `Shut virtual machine ${nameOf(place)} down`,
  commands: ({ place, params: p }) => [
    { step: 'shutdown', argv: ['qm', 'shutdown', vmidOf(place), '--timeout', String(p.timeoutSeconds)] }
  ],
  undo: ({ place }) => `vm_start vm:${vmidOf(place)} starts it again.`,
  leaves: () => 'stopped',
  alreadyDone: (_, end) => /VM \d+ not running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'stopped')
}
