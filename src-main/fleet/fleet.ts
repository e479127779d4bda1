import type { FleetView } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import type { Logger } from '../base/log'
import { fail, messageOf, ok, type AppError } from '../base/result'
import type { ConfigService } from '../config/port'
import type { Ssh } from '../ssh/port'
import type { Store } from '../store/store'
import type { Fleet } from './port'
import { readClusterStatus, readResources, readVersion } from './proxmox'
import { pveshGet } from './pvesh'
import { resolveHost, resolveIn, type KnownFleet } from './resolve'
import { Roster } from './roster'
import { Samples } from './samples'
import { parseTarget } from './target-name'

export interface FleetDependencies {
  readonly ssh: Ssh
  readonly store: Store
  readonly config: ConfigService
  readonly clock: Clock
  readonly log: Logger
}

/** The fleet with its own pulse: refreshed on an interval, when hosts change and when a lost host comes back. */
export interface FleetService extends Fleet {
  /** Refreshes now and from then on every `signals.intervalSeconds`. */
  start(): void
  stop(): void
}

/** How old (ms) what is known may be before it is asked anew. */
const defaultMaxAge = 15_000

/** Builds the fleet; nothing is asked before the first call or `start`. */
export function createFleet({ ssh, store, config, clock, log }: FleetDependencies): FleetService {
  const configured = () => config.get().hosts
  const roster = new Roster(configured, ssh)
  const samples = new Samples()
  /** When the whole fleet was last asked, whoever answered. */
  let askedAt: number | null = null
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  let started = false
  let timer: NodeJS.Timeout | null = null

  const known = (): KnownFleet => ({
    configured: configured().map((host) => host.name),
    places: roster.places(),
    guests: roster.guests(),
    errorOf: (host) => roster.errorOf(host)
  })
  const announce = () => store.announce({ type: 'fleet.changed', fleet: roster.view() })

  /** Learns which node and cluster a host is, if that is not known or the host was away. */
  async function meet(host: string): Promise<boolean> {
    if (
      roster.factsOf(host) !== null &&
      ssh.connection(host) === 'reachable' &&
      roster.errorOf(host) === null
    )
      return true
    const [status, version] = await Promise.all([
      pveshGet(ssh, host, '/cluster/status'),
      pveshGet(ssh, host, '/version')
    ])
    if (!status.ok) {
      if (status.error.code === 'not_proxmox')
        roster.learned(host, { node: null, cluster: null, version: null })
      return settle(host, status.error)
    }
    const identity = readClusterStatus(status.value)
    if (identity === null)
      return settle(host, {
        code: 'pvesh_failed',
        message: `${host} does not say which node of its cluster it is.`,
        hint: 'Check "pvesh get /cluster/status" on it.'
      })
    roster.learned(host, { ...identity, version: version.ok ? readVersion(version.value) : null })
    return settle(host, null)
  }

  /** Remembers how a question to the host ended; a host without Proxmox has answered all the same. */
  function settle(host: string, error: AppError | null): boolean {
    if (error === null || error.code === 'not_proxmox') roster.answered(host, clock.now())
    else roster.failed(host, error)
    return error === null
  }

  /** Asks the first host of a cluster that answers for everything in it: one call a cluster. */
  async function askCluster(cluster: string, hosts: readonly string[]): Promise<void> {
    for (const host of hosts) {
      const answer = await pveshGet(ssh, host, '/cluster/resources')
      const facts = answer.ok ? readResources(answer.value) : null
      if (facts !== null) {
        settle(host, null)
        roster.setCluster(cluster, facts, clock.now())
        return
      }
      settle(
        host,
        answer.ok ? { code: 'pvesh_failed', message: `${host} did not list its resources.` } : answer.error
      )
    }
  }

  async function askAll(): Promise<void> {
    roster.forgetStrangers()
    askedAt = clock.now()
    const names = configured().map((host) => host.name)
    const met = await Promise.all(names.map(meet))
    const there = new Set(names.filter((_, index) => met[index]))
    const clusters = new Map<string, string[]>()
    for (const { host, cluster } of roster.places())
      if (there.has(host) && roster.factsOf(host)?.node !== null)
        clusters.set(cluster, [...(clusters.get(cluster) ?? []), host])
    await Promise.all([...clusters].map(([cluster, hosts]) => askCluster(cluster, hosts)))
    samples.take(roster.view(), clock.now())
    announce()
  }

  /**
   * One question at a time. Whoever asks while one is under way gets the next one, shared by all who wait,
   * because the one under way may have looked before the change they want to see.
   */
  function ask(): Promise<void> {
    if (running === null) {
      running = askAll()
        .catch((error: unknown) => log.log('error', 'fleet', 'refresh failed', { error: messageOf(error) }))
        .finally(() => (running = null))
      return running
    }
    queued ??= running.then(() => {
      queued = null
      return ask()
    })
    return queued
  }

  const pulse = () => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(
      () => void ask().finally(() => started && pulse()),
      config.get().signals.intervalSeconds * 1000
    )
    timer.unref()
  }

  let hostsBefore = JSON.stringify(configured())
  config.onChange(() => {
    const hosts = JSON.stringify(configured())
    if (hosts === hostsBefore) return
    hostsBefore = hosts
    roster.forgetStrangers()
    askedAt = null
    announce()
    if (started) void ask()
  })

  ssh.onConnection((host, state, error) => {
    const wasAway = roster.errorOf(host) !== null
    if (error !== null && state !== 'reachable') roster.failed(host, error)
    const view = roster.hosts().find((each) => each.name === host)
    if (view) store.announce({ type: 'host.changed', host: view })
    if (started && wasAway && state === 'reachable' && running === null) void ask()
  })

  const service: FleetService = {
    view: () => roster.view(),
    hosts: () => roster.hosts(),
    guests: () => roster.guests(),
    storages: () => roster.storages(),
    samples: () => samples.all(),

    async refresh(host) {
      if (host !== undefined && !configured().some((each) => each.name === host))
        return fail('host_unknown', `There is no host named ${host}.`, undefined, { host })
      await ask()
      const error = host === undefined ? null : roster.errorOf(host)
      return error ? { ok: false, error } : ok(roster.view())
    },

    async fresh(maxAgeMs = defaultMaxAge) {
      if (running !== null) await running
      else if (askedAt === null || clock.now() - askedAt > maxAgeMs || clock.now() < askedAt) await ask()
      return ok<FleetView>(roster.view())
    },

    async resolve(text) {
      const target = parseTarget(text)
      if (!target.ok) return target
      const before = clock.now()
      await service.fresh()
      const found = resolveIn(known(), target.value)
      if (found.ok || found.error.code === 'target_ambiguous') return found
      // It may have been made, moved or switched on since.
      if (askedAt !== null && askedAt >= before) return found
      await ask()
      return resolveIn(known(), target.value)
    },

    hostOfNode(node) {
      const found = resolveHost({ ...known(), errorOf: () => null }, node)
      if (found.ok) return ok(found.value.host)
      // Of a host that was never reached nothing is known but why.
      const why = resolveHost(known(), node)
      return why.ok ? found : why
    },

    pvesh: (host, path, args) => pveshGet(ssh, host, path, args),

    start() {
      if (started) return
      started = true
      void ask()
      pulse()
    },
    stop() {
      started = false
      if (timer) clearTimeout(timer)
    }
  }
  return service
}
