import type { Fleet } from '../../fleet/port'
import { count, moment } from '../format'
import { plainText } from '../text'

/** Names told before the rest is only counted. */
const toldNames = 40

/** What is known of the fleet, in a few lines, for the head of a turn; asks no host. */
export function fleetSummary(fleet: Fleet): string {
  const { hosts, guests, refreshedAt } = fleet.view()
  if (hosts.length === 0) return 'No host is configured.'
  const lines = hosts.map((host) => {
    const state = host.error ? `${host.error.code}` : host.connection
    const here = guests.filter((guest) => guest.host === host.name)
    const known =
      host.seenAt === null
        ? 'never reached, its guests are unknown'
        : `${count(here.length, 'guest')}${host.error ? `, as last seen ${moment(host.seenAt)}` : ''}`
    return `host:${host.name} (${host.node === null ? 'node unknown' : `node ${host.node}`}, ${state}): ${known}`
  })
  const names = guests
    .slice(0, toldNames)
    .map((guest) => `${guest.kind}:${guest.name} (${guest.vmid} on ${guest.node}, ${guest.status})`)
  return plainText(
    [
      refreshedAt === null ? 'No host has answered yet.' : `As of ${moment(refreshedAt)}:`,
      ...lines,
      names.length > 0 &&
        `Guests: ${names.join(', ')}${guests.length > toldNames ? `, and ${guests.length - toldNames} more` : ''}`
    ]
      .filter((line) => typeof line === 'string')
      .join('\n')
  )
}
