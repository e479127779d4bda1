import type { ActionView, AppError, ExecutionView, GuestView } from '@contract'
import type { Client } from './client.svelte'
import type { Store } from './store.svelte'

export const guestColumns = ['vmid', 'name', 'state', 'node', 'cpu', 'memory', 'disk', 'uptime'] as const
export type GuestColumn = (typeof guestColumns)[number]

const share = (used: number, all: number): number => (all > 0 ? used / all : 0)

const sortKeys: Readonly<Record<GuestColumn, (guest: GuestView) => number | string>> = {
  vmid: (guest) => guest.vmid,
  name: (guest) => guest.name,
  state: (guest) => guest.status,
  node: (guest) => guest.node,
  cpu: (guest) => -guest.cpu,
  memory: (guest) => -share(guest.memory, guest.maxMemory),
  disk: (guest) => -share(guest.disk, guest.maxDisk),
  uptime: (guest) => -guest.uptime
}

/** Identity of a guest on the screen: cluster and VMID, never the name. */
export const guestKey = (guest: GuestView): string => `${guest.cluster}/${guest.kind}/${guest.vmid}`

/** How a guest is named as a target. */
export const guestTarget = (guest: GuestView): string => `${guest.kind}:${guest.vmid}@${guest.node}`

const matches = (guest: GuestView, words: readonly string[]): boolean => {
  const hay = [guest.name, guest.vmid, guest.node, guest.kind, ...guest.tags].join(' ').toLowerCase()
  return words.every((word) => hay.includes(word))
}

/** What is chosen on the Fleet page, and the actions that can be asked for. */
export class FleetPage {
  query = $state('')
  status = $state<'all' | 'running' | 'stopped'>('all')
  sort = $state<GuestColumn>('vmid')
  descending = $state(false)
  shown = $state(200)
  selected = $state<string | null>(null)
  addingHost = $state(false)
  refreshing = $state(false)
  actions = $state.raw<readonly ActionView[]>([])
  actionsError = $state.raw<AppError | null>(null)
  /** An execution asked for here that waits for approval. */
  requested = $state<string | null>(null)
  readonly #client: Client
  readonly #store: Store
  #actionsRead = false

  readonly guests: readonly GuestView[] = $derived.by(() => {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean)
    const key = sortKeys[this.sort]
    const direction = this.descending ? -1 : 1
    return this.#store.fleet.guests
      .filter((guest) => (this.status === 'all' || guest.status === this.status) && matches(guest, words))
      .toSorted((a, b) => direction * compare(key(a), key(b)) || a.vmid - b.vmid)
  })
  readonly guest = $derived.by(
    () => this.#store.fleet.guests.find((guest) => guestKey(guest) === this.selected) ?? null
  )
  readonly host = $derived.by(
    () => this.#store.fleet.hosts.find((host) => `host:${host.name}` === this.selected) ?? null
  )

  constructor(client: Client, store: Store) {
    this.#client = client
    this.#store = store
  }

  sortBy(column: GuestColumn): void {
    if (this.sort === column) this.descending = !this.descending
    else {
      this.sort = column
      this.descending = false
    }
  }

  async refresh(): Promise<AppError | null> {
    this.refreshing = true
    const reply = await this.#client.request('fleet.refresh', {})
    this.refreshing = false
    if (!reply.ok) return reply.error
    this.#store.fleet = reply.data
    return null
  }

  async readActions(): Promise<void> {
    if (this.#actionsRead) return
    this.#actionsRead = true
    const reply = await this.#client.request('action.list', {})
    this.actionsError = reply.ok ? null : reply.error
    this.#actionsRead = reply.ok
    if (reply.ok) this.actions = reply.data
  }

  /** What can be done to something that exists: creating it is not among them. */
  actionsFor(kind: 'host' | 'lxc' | 'vm'): readonly ActionView[] {
    return this.actions.filter((action) => action.targets.includes(kind) && action.name !== 'pct_create')
  }

  /** Asks for an execution; what needs approval is shown as a card. */
  async request(
    action: string,
    target: string,
    params: Readonly<Record<string, unknown>>,
    why: string
  ): Promise<ExecutionView | AppError> {
    const reply = await this.#client.request('execution.request', { action, target, params, why })
    if (!reply.ok) return reply.error
    this.#store.executions.set(reply.data.id, reply.data)
    this.requested = reply.data.id
    return reply.data
  }
}

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')
