import { z } from 'zod'
import type { Action } from './action'
import * as field from './fields'
import { prepareGuest } from './guest-state'
import { nameOf, vmidOf } from './place'
import { statusIs } from './proof'

const params = z.strictObject({
  timeoutSeconds: field.seconds(3000).default(60).describe('How long it may take.'),
  forceStop: z.boolean().default(false).describe('Kill it when the time is over. Destructive.')
})
type Params = z.output<typeof params>

/** Shuts a container down in good order. */
export const pctShutdown: Action<Params, null> = {
  name: 'pct_shutdown',
  title: 'Shut a container down',
  description: 'Shuts a container down in good order. One that is stopped already is a success.',
  targets: ['lxc'],
  params,
  baseRisk: 'service_action',
  timeLimit: 3600,
  serialise: 'target',

  preflight: (world, target, wished) => prepareGuest(world, target, wished),

  risk: ({ params: p }) => (p.forceStop ? 'destructive' : 'service_action'),
  sentence: ({ place, params: p }) =>
    `Shut container ${nameOf(place)} down${p.forceStop ? `, killing it after ${p.timeoutSeconds} s` : ''}`,
  commands: ({ place, params: p }) => [
    {
      step: 'shutdown',
      argv: [
        'pct',
        'shutdown',
        vmidOf(place),
        '--timeout',
        String(p.timeoutSeconds),
        ...(p.forceStop ? ['--forceStop', '1'] : [])
      ]
    }
  ],
  undo: ({ place }) => `pct_start lxc:${vmidOf(place)} starts it again.`,
  leaves: () => 'stopped',
  alreadyDone: (_, end) => /CT \d+ not running/.test(end.output),
  verify: (world, { place }) => statusIs(world, place, 'stopped')
}
