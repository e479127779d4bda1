import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { lookRunning, prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({
  timeoutSeconds: field.seconds(3000).default(180).describe('How long it may take.')
})
type Params = z.output<typeof params>

/** Asks the system in a running virtual machine to reboot. */
export const vmReboot: Action<Params, null> = {
  name: 'vm_reboot',
  title: 'Reboot a virtual machine',
  description: 'Asks the system in a running virtual machine to reboot.',
  targets: ['vm'],
  params,
  baseRisk: 'service_action',
  timeLimit: 1800,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished, lookRunning),

  risk: () => 'service_action',
  sentence: ({ place }) => `Reboot virtual machine ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    { step: 'reboot', argv: ['qm', 'reboot', vmidOf(place), '--timeout', String(p.timeoutSeconds)] }
  ],
  undo: ({ place }) => `Nothing to undo: vm:${vmidOf(place)} runs again.`,
  leaves: () => 'running',
  verify: (world, { place }) => statusIs(world, place, 'running')
}
