import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { lookRunning, prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({
  timeoutSeconds: field
    .seconds(1500)
    .default(60)
    .describe('How long it may take to go down; then it is killed.')
})
type Params = z.output<typeof params>

/** Shuts a container down and starts it again. */
export const pctReboot: Action<Params, null> = {
  name: 'pct_reboot',
  title: 'Reboot a container',
  description:
    'Shuts a running container down and starts it again; pending changes of its configuration come into force.',
  targets: ['lxc'],
  params,
  baseRisk: 'service_action',
  timeLimit: 1800,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished, lookRunning),

  risk: () => 'service_action',
  sentence: ({ place }) => `Reboot container ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    { step: 'reboot', argv: ['pct', 'reboot', vmidOf(place), '--timeout', String(p.timeoutSeconds)] }
  ],
  undo: () => 'Nothing to undo: it runs again.',
  leaves: () => 'running',
  verify: (world, { place }) => statusIs(world, place, 'running')
}
