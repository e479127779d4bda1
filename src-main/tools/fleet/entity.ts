import type { Fleet } from '../../fleet/port'
import { bytes, duration, moment } from '../format'
import { guestData, hostData, storageData } from './known'

/** Something known about; `id` names it and nothing else. */
export interface Entity {
  readonly id: string
  readonly kind: 'host' | 'lxc' | 'vm' | 'storage'
  readonly name: string
  readonly vmid: number | null
  /** Other names it goes by, in lower case. */
  readonly aliases: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relations: readonly { readonly relation: string; readonly id: string }[]
  /** When its host last answered; UTC milliseconds. */
  readonly seen_at: number | null
}

/** Everything the fleet knows, as entities. */
export function allEntities(fleet: Fleet): Entity[] {
  const { hosts, guests, storages } = fleet.view()
  const seen = new Map(hosts.map((host) => [host.name, host.seenAt]))
  const seenAt = (host: string | null) => (host === null ? null : (seen.get(host) ?? null))
  const of = (relation: string, host: string | null) =>
    host === null ? [] : [{ relation, id: `host:${host}` }]
  return [
    ...hosts.map((host) => ({
      id: `host:${host.name}`,
      kind: 'host' as const,
      name: host.name,
      vmid: null,
      aliases: host.node === null ? [] : [host.node.toLowerCase()],
      attributes: hostData(host),
      relations: guests
        .filter((guest) => guest.host === host.name)
        .map((guest) => ({ relation: 'runs', id: `${guest.kind}:${guest.vmid}@${guest.node}` })),
      seen_at: host.seenAt
    })),
    ...guests.map((guest) => ({
      id: `${guest.kind}:${guest.vmid}@${guest.node}`,
      kind: guest.kind,
      name: guest.name,
      vmid: guest.vmid,
      aliases: [String(guest.vmid)],
      attributes: guestData(guest),
      relations: of('runs on', guest.host),
      seen_at: seenAt(guest.host)
    })),
    ...storages.map((storage) => ({
      id: `storage:${storage.name}@${storage.node}`,
      kind: 'storage' as const,
      name: storage.name,
      vmid: null,
      aliases: [],
      attributes: storageData(storage),
      relations: of('is on', storage.host),
      seen_at: seenAt(storage.host)
    }))
  ]
}

/** An entity in lines. */
export const entityText = (entity: Entity): string =>
  [
    `${entity.name} (${entity.id}), ${
      entity.seen_at === null ? 'never seen' : `as seen ${moment(entity.seen_at)}`
    }`,
    ...Object.entries(entity.attributes)
      .filter(([, value]) => value !== null && value !== '')
      .map(([key, value]) => `  ${key}: ${valueText(key, value)}`),
    ...entity.relations.map((each) => `  ${each.relation} ${each.id}`)
  ].join('\n')

const inBytes = new Set(['memory', 'maxMemory', 'disk', 'maxDisk', 'used', 'total', 'free'])

/** A value as a person reads it: the figures are bytes, seconds, a fraction and a moment. */
function valueText(key: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return JSON.stringify(value)
  if (inBytes.has(key)) return bytes(value)
  if (key === 'uptime') return duration(value)
  if (key === 'cpu') return `${Math.round(value * 100)}%`
  return key === 'seenAt' ? moment(value) : String(value)
}
