import type { FleetView } from '../../src-preload/contract'
import { nameOf, runInside, type Inside } from '../fleet/inside/run-inside'
import { parseUnits } from '../fleet/inside/units'
import type { ResolvedTarget } from '../fleet/port'
import { covering, guestSubject, guestTarget, hostSubject } from './names'
import type { Condition, Look } from './port'

export const targetName = (place: ResolvedTarget): string =>
  place.kind === 'host' ? `host:${place.host}` : guestTarget(place.guest)
export const subjectOf = (place: ResolvedTarget): string =>
  place.kind === 'host' ? hostSubject(place.host) : guestSubject(place.guest)
/** "on strong", "in caddy". */
const whereIn = (place: ResolvedTarget): string => `${place.kind === 'host' ? 'on' : 'in'} ${nameOf(place)}`

/** The same for sentences in any language. */
export const placed = (place: ResolvedTarget) => ({ on: place.kind, name: nameOf(place) })

/** The host and its running containers; virtual machines have no shell that is sure to be there. */
export function placesOn(fleet: FleetView, host: string): readonly ResolvedTarget[] {
  const containers = fleet.guests.filter(
    (guest) =>
      guest.host === host && guest.kind === 'lxc' && guest.status === 'running' && guest.lock === null
  )
  const node = fleet.hosts.find(({ name }) => name === host)?.node ?? null
  if (node === null) return []
  const cluster = containers[0]?.cluster ?? host
  return [
    { kind: 'host', host, node, cluster },
    ...containers.map((guest): ResolvedTarget => ({ kind: 'lxc', host, node, cluster: guest.cluster, guest }))
  ]
}

/** Failed services of one place that are told one by one; of more, only how many. */
const mostUnits = 20

/** Which services of a host or a container have failed. */
export async function lookAtUnits(inside: Inside, place: ResolvedTarget, signal: AbortSignal): Promise<Look> {
  const argv = [
    'systemctl',
    'list-units',
    '--type=service',
    '--state=failed',
    '--no-pager',
    '--no-legend',
    '--plain'
  ]
  const ran = await runInside(inside, place, argv, { signal })
  if (!ran.ok || ran.value.code !== 0) return { conditions: [], covers: new Set() }
  const units = parseUnits(ran.value.stdout)
  const told = units.slice(0, mostUnits).map(({ name, description }) => failedUnit(place, name, description))
  const more = units.length - told.length
  return {
    covers: new Set([covering('unit_failed', subjectOf(place))]),
    conditions: more > 0 ? [...told, moreUnits(place, more)] : told
  }
}

const moreUnits = (place: ResolvedTarget, count: number): Condition => ({
  kind: 'unit_failed',
  subject: subjectOf(place),
  about: '',
  level: 'critical',
  target: targetName(place),
  host: place.host,
  title: `${count} more ${count === 1 ? 'service' : 'services'} ${whereIn(place)} ${count === 1 ? 'has' : 'have'} failed`,
  detail: 'systemctl list-units --state=failed names them all.',
  facts: { ...placed(place), more: count },
  action: null
})

const failedUnit = (place: ResolvedTarget, unit: string, description: string): Condition => ({
  kind: 'unit_failed',
  subject: subjectOf(place),
  about: unit,
  level: 'critical',
  target: targetName(place),
  host: place.host,
  title: `${unit} ${whereIn(place)} has failed`,
  detail: `systemd has given up on it${description === '' ? '' : `: ${description}`}.`,
  facts: { ...placed(place), unit, description },
  action: {
    action: 'systemctl',
    target: targetName(place),
    params: { verb: 'restart', unit },
    why: `${unit} has failed.`
  }
})
