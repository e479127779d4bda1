import { z } from 'zod'
import type { RiskClass } from '../../../src-preload/contract'
import { ok } from '../../base/result'
import { isCriticalUnit } from '../shell/critical'
import type { Action, ActionPlace, ActionWorld } from './action'
import * as field from './fields'
import { lookRunning } from './guest-state'
import { at, readAt } from './inside'
import { findPlace, nameOf } from './place'
import { eventually, proof } from './proof'

const verbs = ['start', 'stop', 'restart', 'reload', 'enable', 'disable'] as const
type Verb = (typeof verbs)[number]

const params = z.strictObject({
  verb: z.enum(verbs, `one of ${verbs.join(', ')}`),
  unit: field.unitName,
  now: z.boolean().default(false).describe('With enable: start it too; with disable: stop it too.')
})
type Params = z.output<typeof params>

/** Starts, stops, restarts, reloads, enables or disables a unit of systemd. */
export const systemctl: Action<Params, null> = {
  name: 'systemctl',
  title: 'Control a service',
  description:
    'Starts, stops, restarts, reloads, enables or disables a systemd unit in a running container (lxc:NAME) or on a host ' +
    '(host:NAME). Reading its state needs no execution: use get_service_state.',
  targets: ['lxc', 'host'],
  params,
  baseRisk: 'service_action',
  timeLimit: 300,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findPlace(world, target)
    if (!place.ok) return place
    if (target.kind === 'lxc') {
      const guest = await lookRunning(world, place.value)
      if (!guest.ok) return guest
    }
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: ({ place, params: p }) => riskOf(place, p),
  sentence: ({ place, params: p }) =>
    `${words[p.verb]} ${p.unit}${p.now ? ' now' : ''} ${place.target.kind === 'lxc' ? 'in' : 'on'} ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    { step: p.verb, argv: at(place, ['systemctl', p.verb, ...(takesNow(p) ? ['--now'] : []), p.unit]) }
  ],
  undo: ({ params: p }) => undoOf[p.verb].replace('UNIT', p.unit),
  verify: (world, { place, params: p }) => verifyUnit(world, place, p)
}

const takesNow = (p: Params): boolean => p.now && (p.verb === 'enable' || p.verb === 'disable')

/** Stopping what the way to a node or its cluster rests on may cut the operator off. */
export function riskOf(place: ActionPlace, { verb, unit }: Pick<Params, 'verb' | 'unit'>): RiskClass {
  const isCut = verb === 'stop' || verb === 'disable'
  if (place.target.kind === 'host' && isCut && isCriticalUnit(unit)) return 'destructive'
  return verb === 'enable' || verb === 'disable' ? 'config_mutation' : 'service_action'
}

/** What systemd says of the unit is what the verb was to bring about. */
export async function verifyUnit(world: ActionWorld, place: ActionPlace, p: Params) {
  const isEnabling = p.verb === 'enable' || p.verb === 'disable'
  if (isEnabling) {
    const enabled = await readAt(world, place, ['systemctl', 'is-enabled', p.unit])
    if (!enabled.ok) return enabled
    const state = enabled.value.stdout.trim()
    // Static and generated units start without being enabled.
    const isSo =
      p.verb === 'enable'
        ? state !== '' && !/^(disabled|masked|not-found)/.test(state)
        : !state.startsWith('enabled')
    if (!isSo || !p.now) return proof(isSo, ...unitIs(p.unit, state))
  }
  const wanted = p.verb === 'stop' || p.verb === 'disable' ? ['inactive', 'failed'] : ['active']
  return eventually(world, async () => {
    const active = await readAt(world, place, ['systemctl', 'is-active', p.unit])
    if (!active.ok) return active
    const state = active.value.stdout.trim()
    return proof(wanted.includes(state), ...unitIs(p.unit, state))
  })
}

const unitIs = (unit: string, state: string) =>
  [`${unit} is ${state === '' ? 'unknown' : state}.`, 'unit_is', { unit, state }] as const

const words: Readonly<Record<Verb, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  reload: 'Reload',
  enable: 'Enable',
  disable: 'Disable'
}

const undoOf: Readonly<Record<Verb, string>> = {
  start: 'systemctl stop UNIT stops it again.',
  stop: 'systemctl start UNIT starts it again.',
  restart: 'Nothing to undo: it runs again.',
  reload: 'Nothing to undo; an older configuration has to be put back by hand.',
  enable: 'systemctl disable UNIT takes it back.',
  disable: 'systemctl enable UNIT takes it back.'
}
