import type { GuestView } from '../../src-preload/contract'
import { fail, ok, type AppError, type Result } from '../base/result'
import { nearNames } from './near'
import type { ResolvedTarget, TargetName } from './port'
import type { Place } from './roster'
import { formatTarget } from './target-name'

/** What finding a target needs to know. */
export interface KnownFleet {
  readonly configured: readonly string[]
  readonly places: readonly Place[]
  readonly guests: readonly GuestView[]
  errorOf(host: string): AppError | null
}

/** Finds a target in what is known now; see `Fleet.resolve` for the errors. */
export const resolveIn = (fleet: KnownFleet, target: TargetName): Result<ResolvedTarget> =>
  target.kind === 'host' ? resolveHost(fleet, target.id) : resolveGuest(fleet, target)

/** Host by its configured name or by the name of its node. */
export function resolveHost(fleet: KnownFleet, name: string): Result<ResolvedTarget & { kind: 'host' }> {
  const configured = fleet.configured.find((host) => same(host, name))
  const places = fleet.places.filter((place) =>
    configured ? place.host === configured : same(place.node, name)
  )
  const [place] = places
  const host = place?.host ?? configured
  if (host !== undefined) {
    const error = fleet.errorOf(host)
    // A host that answers while its Proxmox does not can still be worked on: that may be what is needed.
    if (error && error.code !== 'pvesh_failed') return unreachable(host, error)
    if (place) return ok({ kind: 'host', ...place })
    if (error) return ok({ kind: 'host', host, node: host, cluster: host })
    return fail('host_unreachable', `${host} was not asked yet.`, 'Try again.', { host })
  }
  const names = [...fleet.configured, ...fleet.places.map((each) => each.node)]
  return fail(
    'host_unknown',
    `There is no host named ${name}.`,
    didYouMean(nearNames(name, names)) ??
      (fleet.configured.length > 0
        ? `Configured hosts: ${fleet.configured.join(', ')}.`
        : 'No host is configured yet: add one on the Fleet page.'),
    { host: name }
  )
}

function resolveGuest(fleet: KnownFleet, target: TargetName): Result<ResolvedTarget> {
  const onNode = fleet.guests.filter((guest) => isOnNode(guest, target.node))
  const found = matches(
    onNode.filter((guest) => guest.kind === target.kind),
    target.id
  )
  if (found.length > 1)
    return fail(
      'target_ambiguous',
      `${formatTarget(target)} could be any of ${found.length} guests.`,
      `Name one of: ${found.map((guest) => precise(fleet, guest)).join(', ')}.`,
      { candidates: found.map((guest) => precise(fleet, guest)) }
    )
  const [guest] = found
  if (!guest) return notFound(fleet, target)
  if (guest.host === null)
    return fail(
      'host_unknown',
      `${guest.name} (${guest.vmid}) is on node ${guest.node}, for which no host is configured.`,
      `Add ${guest.node} as a host: commands for a guest run on the node that owns it.`,
      { guest: `${guest.name} (${guest.vmid})`, node: guest.node }
    )
  const error = fleet.errorOf(guest.host)
  if (error) return unreachable(guest.host, error, `${guest.name} (${guest.vmid}) was last seen on it.`)
  return ok({ kind: guest.kind, host: guest.host, node: guest.node, cluster: guest.cluster, guest })
}

/** By VMID when the name is a number that is one, by name otherwise; case counts only when it makes a difference. */
function matches(guests: readonly GuestView[], id: string): readonly GuestView[] {
  const byVmid = /^\d+$/.test(id) ? guests.filter((guest) => guest.vmid === Number(id)) : []
  if (byVmid.length > 0) return byVmid
  const exact = guests.filter((guest) => guest.name === id)
  return exact.length > 0 ? exact : guests.filter((guest) => same(guest.name, id))
}

function isOnNode(guest: GuestView, node: string | null): boolean {
  if (node === null || same(guest.node, node)) return true
  return guest.host !== null && same(guest.host, node)
}

const inWords = ({ message, hint }: AppError): string => (hint === undefined ? message : `${message} ${hint}`)

function notFound(fleet: KnownFleet, target: TargetName): Result<never> {
  const elsewhere = matches(fleet.guests, target.id).map((guest) => precise(fleet, guest))
  const near = nearNames(
    target.id,
    fleet.guests.map((guest) => guest.name)
  ).flatMap((name) => matches(fleet.guests, name).map((guest) => precise(fleet, guest)))
  const blind = fleet.configured.flatMap((host) => {
    const error = fleet.errorOf(host)
    return error === null ? [] : [`It may be on ${host}, which cannot be asked: ${inWords(error)}`]
  })
  const hints = [
    didYouMean(elsewhere.length > 0 ? elsewhere : near.slice(0, 4)),
    ...blind.slice(0, 3),
    elsewhere.length + near.length === 0 ? 'list_lxcs and list_vms name every guest.' : null
  ].filter((hint) => hint !== null)
  return fail(
    'target_not_found',
    `There is no ${target.kind === 'lxc' ? 'container' : 'virtual machine'} ${target.id}${
      target.node === null ? '' : ` on ${target.node}`
    }.`,
    hints.join(' '),
    { target: formatTarget(target) }
  )
}

/** `lxc:typetype`, or as much more as is needed to mean this guest alone. */
function precise(fleet: KnownFleet, guest: GuestView): string {
  const alike = fleet.guests.filter((other) => other.kind === guest.kind && other.name === guest.name)
  const sameVmid = fleet.guests.filter((other) => other.kind === guest.kind && other.vmid === guest.vmid)
  if (alike.length === 1) return `${guest.kind}:${guest.name}`
  return `${guest.kind}:${guest.vmid}${sameVmid.length > 1 ? `@${guest.host ?? guest.node}` : ''}`
}

const unreachable = (host: string, error: AppError, also?: string): Result<never> => {
  const told = error.code === 'host_unreachable' ? error.message : `${host} cannot be asked: ${error.message}`
  return fail(
    error.code === 'pvesh_failed' ? 'host_unreachable' : error.code,
    [told, also].filter(Boolean).join(' '),
    error.hint,
    { host }
  )
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const didYouMean = (names: readonly string[]): string | null =>
  names.length === 0 ? null : `Did you mean ${[...new Set(names)].join(' or ')}?`
