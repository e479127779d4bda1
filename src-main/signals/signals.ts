import type { SignalView } from '../../src-preload/contract'
import { isTerminal } from '../../src-preload/contract'
import { between } from '../base/clock'
import { fail, messageOf, ok, type Result } from '../base/result'
import type { Logger } from '../base/log'
import type { Ssh } from '../ssh/port'
import { act, type ActingDependencies } from './acting'
import { lookAtFleet } from './fleet-look'
import { note, tell } from './noting'
import type { Condition, Look, Signals } from './port'
import { shouldRun } from './should-run'
import { SignalTable, signalView } from './table'
import { lookAtUnits, placesOn } from './units-look'
import { lookAtBackups, lookAtReboot, lookAtUpdates } from './upkeep-look'

/** Between two looks for failed services, and for what changes slowly: updates, reboots, backups. Milliseconds. */
const unitsEvery = 10 * 60_000
const upkeepEvery = 6 * 3600_000

export interface SignalsDependencies extends Omit<ActingDependencies, 'table'> {
  readonly ssh: Ssh
  readonly log: Logger
}

export interface SignalsService extends Signals {
  /** Looks whenever the fleet was refreshed, and from time to time inside of hosts and containers. */
  start(): void
  /** Ends the look that is under way. */
  close(): Promise<void>
}

/** Builds the watch over the fleet; nothing is looked at before `start`. */
export function createSignals(dependencies: SignalsDependencies): SignalsService {
  const { store, fleet, ssh, executions, config, log } = dependencies
  const table = new SignalTable(store.db)
  const { clock } = store
  const inside = { fleet, ssh }
  const stopping = new AbortController()
  const isWished = () => config.get().signals.enabled && !stopping.signal.aborted
  const mayRun = shouldRun(fleet, executions, clock)
  const lastLook = { units: new Map<string, number>(), upkeep: new Map<string, number>() }
  const waiting = new Set<string>()
  let working: Promise<void> = Promise.resolve()
  let unsubscribe = () => {}

  /** What is so when Nomos looks at a host for the very first time is listed, not told. */
  const isFirst = (look: string, host: string) =>
    store.transact(() => table.isFirst(`${look} ${host}`, clock.now()))

  /** One look after the other; the same one is not queued twice. */
  function enqueue(name: string, look: () => Promise<void>): void {
    if (waiting.has(name)) return
    waiting.add(name)
    working = working.then(async () => {
      waiting.delete(name)
      if (!isWished()) return
      await look().catch((error: unknown) =>
        log.log('error', 'signals', 'a look failed', { look: name, error: messageOf(error) })
      )
    })
  }

  async function found(look: Look, isQuiet: (condition: Condition) => boolean): Promise<void> {
    if (stopping.signal.aborted) return
    for (const signal of note(store, table, look, isQuiet)) await act({ ...dependencies, table }, signal)
  }

  async function lookAround(): Promise<void> {
    const patience = 2 * config.get().signals.intervalSeconds * 1000
    const view = fleet.view()
    const look = await lookAtFleet(view, { now: clock.now(), patience, shouldRun: mayRun })
    const known = view.hosts.filter(({ node, error }) => node !== null && error === null)
    const met = new Set(known.filter(({ name }) => isFirst('fleet', name)).map(({ name }) => name))
    await found(look, ({ host }) => host !== null && met.has(host))
  }

  async function lookForUnits(host: string): Promise<void> {
    lastLook.units.set(host, clock.now())
    const first = isFirst('units', host)
    for (const place of placesOn(fleet.view(), host))
      await found(await lookAtUnits(inside, place, stopping.signal), () => first)
  }

  async function lookAtUpkeep(host: string): Promise<void> {
    lastLook.upkeep.set(host, clock.now())
    const first = isFirst('upkeep', host)
    const view = fleet.view()
    for (const place of placesOn(view, host)) {
      await found(await lookAtUpdates(inside, place, stopping.signal), () => first)
      if (place.kind === 'host') await found(await lookAtReboot(inside, place, stopping.signal), () => first)
    }
    await found(await lookAtBackups(inside, view, host, clock.now()), () => first)
  }

  function onRefresh(): void {
    enqueue('fleet', lookAround)
    const now = clock.now()
    for (const { name, connection, node } of fleet.view().hosts) {
      if (connection !== 'reachable' || node === null) continue
      if (between(now, lastLook.units.get(name) ?? 0) >= unitsEvery)
        enqueue(`units ${name}`, () => lookForUnits(name))
      if (between(now, lastLook.upkeep.get(name) ?? 0) >= upkeepEvery)
        enqueue(`upkeep ${name}`, () => lookAtUpkeep(name))
    }
  }

  /** Changes one that is not over; in any other state than this it is left as it is. */
  function turn(id: string, from: SignalView['state'], change: () => void): Result<SignalView> {
    return store.transact((tx) => {
      const row = table.get(id)
      if (row === null)
        return fail('signal_not_found', 'There is no such signal.', 'list_signals names them.')
      if (row.state === 'resolved')
        return fail('signal_resolved', `Nothing to acknowledge: "${row.title}" is over.`)
      if (row.state === from) change()
      return ok(signalView(tell(table, tx, id) ?? row))
    })
  }

  return {
    list(which) {
      const rows = which === 'all' ? [...table.unresolved(), ...table.resolved(200)] : table.unresolved()
      return rows.map(signalView).sort(byGravity)
    },

    acknowledge: (id) =>
      turn(id, 'open', () => {
        table.acknowledge(id, clock.now())
      }),

    unacknowledge: (id) =>
      turn(id, 'acknowledged', () => {
        table.unacknowledge(id, clock.now())
      }),

    start() {
      unsubscribe = store.bus.subscribe(({ event }) => {
        if (event.type === 'fleet.changed') onRefresh()
        if (event.type !== 'execution.changed' || !isTerminal(event.execution.state)) return
        const { risk, host, action } = event.execution
        if (risk === 'read_only') return
        enqueue(`units ${host}`, () => lookForUnits(host))
        if (action === 'apt_upgrade') enqueue(`upkeep ${host}`, () => lookAtUpkeep(host))
      })
    },

    async close() {
      unsubscribe()
      stopping.abort()
      await working
    }
  }
}

const gravity = { critical: 0, warning: 1, info: 2 } as const
const ranks = { open: 0, acknowledged: 1, resolved: 2 } as const

const byGravity = (a: SignalView, b: SignalView): number =>
  ranks[a.state] - ranks[b.state] || gravity[a.level] - gravity[b.level] || b.openedAt - a.openedAt
