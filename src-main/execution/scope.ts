import type { TargetName } from '../fleet/port'
import type { Action, ActionPlace, PreparedAction } from './actions/action'

/** One entry of a window's scope. */
export interface ScopeEntry {
  /** As shown: `lxc:typetype`. */
  readonly label: string
  /** What is compared. A guest is its cluster and VMID, a host its name; never a short name alone. */
  readonly key: string
  readonly host: string
}

const guestKey = (kind: 'lxc' | 'vm', cluster: string, vmid: number): string => `${kind}/${cluster}/${vmid}`
const newGuestKey = (kind: 'lxc' | 'vm', cluster: string, name: string): string =>
  `new-${kind}/${cluster}/${name}`

/** The thing that is acted on, for the lock that lets one at a time act on it. */
export function placeKey(place: Pick<ActionPlace, 'cluster' | 'host' | 'vmid'> & { target: Kind }): string {
  const { target, cluster, host, vmid } = place
  return target.kind === 'host' ? `host/${host}` : guestKey(target.kind, cluster, vmid ?? 0)
}

type Kind = Pick<TargetName, 'kind'>

/**
 * What an approval puts into the window's scope: the target, and what it creates. A guest to be created counts by its
 * name too, so that a second try under another VMID is covered; an existing one of the same name is not.
 */
export function scopeOf(action: Action, prepared: PreparedAction<unknown, unknown>): readonly ScopeEntry[] {
  const { place } = prepared
  const { target, host, cluster, vmid, guestName } = place
  if (target.kind === 'host') return [{ label: `host:${host}`, key: placeKey(place), host }]
  const kind = target.kind
  const of = (name: string | null, id: number | null): ScopeEntry[] =>
    id === null
      ? []
      : [...(name === null ? [] : [`${kind}:${name}`]), `${kind}:${id}`].map((label) => ({
          label,
          key: guestKey(kind, cluster, id),
          host
        }))
  const created = action.creates?.(prepared)
  const made: ScopeEntry[] = created
    ? [
        ...of(created.name, created.vmid),
        {
          label: `${kind}:${created.name}`,
          key: newGuestKey(kind, cluster, created.name),
          host: created.host
        }
      ]
    : []
  return [...of(guestName, vmid), ...made]
}

/** The keys of which one has to be in a window's scope for the window to cover the execution. */
export function coverKeys(action: Action, prepared: PreparedAction<unknown, unknown>): readonly string[] {
  const created = action.creates?.(prepared)
  const { target, cluster, vmid, host } = prepared.place
  if (action.reachesHost?.(prepared)) return [`host/${host}`]
  const own = [placeKey(prepared.place)]
  if (!created || target.kind === 'host') return own
  // A clone acts on its source, a creation on what it makes.
  return created.vmid === vmid ? [...own, newGuestKey(target.kind, cluster, created.name)] : own
}

/** Every way to write the target in a rule: `lxc:typetype`, `lxc:105`, with and without `@node`. */
export function namesOf(place: ActionPlace): readonly string[] {
  const { target, host, node, vmid, guestName } = place
  if (target.kind === 'host') return [...new Set([`host:${host}`, `host:${node}`])]
  const ids = [guestName, vmid === null ? null : String(vmid), target.id].filter((id) => id !== null)
  const plain = [...new Set(ids)].map((id) => `${target.kind}:${id}`)
  return [...plain, ...plain.map((name) => `${name}@${node}`)]
}
