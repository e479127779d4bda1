import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { lookRunning } from './guest-state'
import { at } from './inside'
import { findPlace, nameOf, vmidOf } from './place'
import { statusIs } from './proof'
import { riskOf, verifyUnit } from './systemctl'

const params = z.strictObject({
  service: field.unitName.optional().describe('Restart this service; without it the guest is rebooted.')
})
type Params = z.output<typeof params>

/** Restarts a service, or reboots a guest. */
export const restart: Action<Params, null> = {
  name: 'restart',
  title: 'Restart a service or a guest',
  description:
    'With service: restarts it in a running container or on a host. Without: reboots the container or virtual machine. ' +
    'A host itself is never rebooted.',
  targets: ['lxc', 'vm', 'host'],
  params,
  baseRisk: 'service_action',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    if (target.kind === 'host' && wished.service === undefined)
      return fail(
        'params_invalid',
        'restart on a host needs the service to restart.',
        'Give params.service.',
        { case: 'service_needed' }
      )
    if (target.kind === 'vm' && wished.service !== undefined)
      return fail(
        'params_invalid',
        'Services inside a virtual machine cannot be restarted from here.',
        'Leave service out to reboot the machine.',
        { case: 'service_in_vm' }
      )
    const place = await findPlace(world, target)
    if (!place.ok) return place
    if (target.kind !== 'host') {
      const guest = await lookRunning(world, place.value)
      if (!guest.ok) return guest
    }
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: ({ place, params: p }) =>
    p.service === undefined ? 'service_action' : riskOf(place, { verb: 'restart', unit: p.service }),
  sentence: ({ place, params: p }) =>
    p.service === undefined
      ? `Reboot ${nameOf(place)}`
      : `Restart ${p.service} ${place.target.kind === 'lxc' ? 'in' : 'on'} ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    p.service === undefined
      ? { step: 'reboot', argv: [place.target.kind === 'vm' ? 'qm' : 'pct', 'reboot', vmidOf(place)] }
      : { step: 'restart', argv: at(place, ['systemctl', 'restart', p.service]) }
  ],
  undo: () => 'Nothing to undo: it runs again.',
  verify: (world, { place, params: p }) =>
    p.service === undefined
      ? statusIs(world, place, 'running')
      : verifyUnit(world, place, { verb: 'restart', unit: p.service, now: false })
}
