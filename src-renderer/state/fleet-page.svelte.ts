import type { ActionView, AppError, ExecutionView, FleetSamples, GuestView, HostView } from '@contract'
import { wordsOf } from '../lib/fuzzy'
import { fieldsOf } from '../lib/schema-form'
import type { Client } from './client.svelte'
import type { Store } from './store.svelte'
import { TargetPage, type TargetTab } from './target-page.svelte'

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
export const hostKey = (name: string): string => `host:${name}`
/** Of what opens it in the list. */
export const rowId = (key: string): string => `fleet ${key}`

/** How a guest is named as a target. */
export const guestTarget = (guest: GuestView): string => `${guest.kind}:${guest.vmid}@${guest.node}`

const matches = (guest: GuestView, words: readonly string[]): boolean => {
  const hay = [guest.name, guest.vmid, guest.node, guest.cluster, guest.kind, ...guest.tags]
    .join(' ')
    .toLowerCase()
  return words.every((word) => hay.includes(word))
}

/** An action whose params are asked for, on a target or for a new container. */
export interface Asked {
  readonly action: ActionView
  /** Null for a new container: its name and node are part of what is asked. */
  readonly target: string | null
  readonly host: string | null
  readonly preset: Readonly<Record<string, string>>
}

/** What is chosen on the Fleet page, and the actions that can be asked for. */
export class FleetPage {
  query = $state('')
  status = $state<'all' | GuestView['status']>('all')
  kind = $state<'all' | GuestView['kind']>('all')
  node = $state('')
  sort = $state<GuestColumn>('vmid')
  descending = $state(false)
  selected = $state<string | null>(null)
  /** What is read of the selected one. */
  page = $state.raw<TargetPage | null>(null)
  addingHost = $state(false)
  refreshing = $state(false)
  samples = $state.raw<FleetSamples>({})
  actions = $state.raw<readonly ActionView[]>([])
  actionsError = $state.raw<AppError | null>(null)
  /** An execution asked for here that waits for approval. */
  requested = $state<string | null>(null)
  asked = $state.raw<Asked | null>(null)
  readonly #client: Client
  readonly #store: Store
  #actionsRead: Promise<void> | null = null

  readonly guests: readonly GuestView[] = $derived.by(() => {
    const words = wordsOf(this.query)
    const key = sortKeys[this.sort]
    const direction = this.descending ? -1 : 1
    return this.#store.fleet.guests
      .filter(
        (guest) =>
          (this.status === 'all' || guest.status === this.status) &&
          (this.kind === 'all' || guest.kind === this.kind) &&
          (this.node === '' || guest.node === this.node) &&
          matches(guest, words)
      )
      .toSorted((a, b) => direction * compare(key(a), key(b)) || a.vmid - b.vmid)
  })
  readonly nodes: readonly string[] = $derived.by(() =>
    [...new Set(this.#store.fleet.guests.map((guest) => guest.node))].sort()
  )
  readonly filtered: boolean = $derived(
    this.query.trim() !== '' || this.status !== 'all' || this.kind !== 'all' || this.node !== ''
  )
  readonly guest = $derived.by(
    () => this.#store.fleet.guests.find((guest) => guestKey(guest) === this.selected) ?? null
  )
  readonly host = $derived.by(
    () => this.#store.fleet.hosts.find((host) => hostKey(host.name) === this.selected) ?? null
  )
  /** Hosts that cannot be asked now, by name: what is shown of them and their guests is old. */
  readonly away: ReadonlyMap<string, HostView> = $derived.by(
    () => new Map(this.#store.fleet.hosts.filter(isAway).map((host) => [host.name, host]))
  )

  constructor(client: Client, store: Store) {
    this.#client = client
    this.#store = store
  }

  openGuest(guest: GuestView, tab: TargetTab = 'overview'): void {
    this.#open(guestKey(guest), guestTarget(guest), guest.host, tab)
  }

  openHost(name: string, tab: TargetTab = 'overview'): void {
    this.#open(hostKey(name), `host:${name}`, name, tab)
  }

  close(): void {
    this.selected = null
    this.page = null
  }

  clearFilter(): void {
    this.query = ''
    this.status = 'all'
    this.kind = 'all'
    this.node = ''
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

  async readSamples(): Promise<void> {
    const reply = await this.#client.request('fleet.samples', {})
    if (reply.ok) this.samples = reply.data
  }

  readActions(): Promise<void> {
    this.#actionsRead ??= this.#readActions()
    return this.#actionsRead
  }

  /** What can be done to something that exists: creating it is not among them. */
  actionsFor(kind: 'host' | 'lxc' | 'vm'): readonly ActionView[] {
    return this.actions.filter((action) => action.targets.includes(kind) && action.name !== 'pct_create')
  }

  /**
   * Asks for an execution of an action, or for its params first where something is to be chosen. `at_once`: the
   * defaults will do, and the card shows them.
   */
  async ask(
    name: string,
    at: { readonly target: string | null; readonly host: string | null },
    preset: Readonly<Record<string, string>> = {},
    how: 'form' | 'at_once' = 'form'
  ): Promise<AppError | null> {
    await this.readActions()
    const action = this.actions.find((each) => each.name === name)
    if (action === undefined) return this.actionsError
    const open = fieldsOf(action.params).filter((field) => !(field.name in preset))
    if (at.target === null || (how === 'form' && open.length > 0)) {
      this.asked = { action, ...at, preset }
      return null
    }
    const outcome = await this.request(name, at.target, preset, '')
    return 'code' in outcome ? outcome : null
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

  #open(key: string, target: string, host: string | null, tab: TargetTab): void {
    if (this.selected !== key || this.page === null) this.page = new TargetPage(this.#client, target, host)
    this.selected = key
    this.page.tab = tab
  }

  async #readActions(): Promise<void> {
    const reply = await this.#client.request('action.list', {})
    this.actionsError = reply.ok ? null : reply.error
    if (reply.ok) this.actions = reply.data
    else this.#actionsRead = null
  }
}

/** Not only never asked: the last question to it failed. */
const isAway = (host: HostView): boolean => host.error !== null

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')
