import type { FleetView, GuestView, HostConfig, HostView, StorageView } from '../../src-preload/contract'
import type { AppError } from '../base/result'
import type { Ssh } from '../ssh/port'
import type { ClusterFacts } from './proxmox'

/** What a host said of itself, and how the last question to it ended. */
export interface HostFacts {
  /** Name of its Proxmox node; null for a host without Proxmox VE. */
  readonly node: string | null
  /** Name of its cluster; null for a node by itself. */
  readonly cluster: string | null
  readonly version: string | null
}

/** A host's place: a node of a cluster. A node by itself is a cluster of one, with its own name. */
export interface Place {
  readonly host: string
  readonly node: string
  readonly cluster: string
}

/**
 * What is known of the fleet, in memory. Facts of a host stay when it cannot be reached; they go when it is
 * no longer configured, or when its address or key is another one.
 */
export class Roster {
  private readonly facts = new Map<string, HostFacts>()
  private readonly errors = new Map<string, AppError>()
  private readonly seen = new Map<string, number>()
  private readonly clusters = new Map<string, ClusterFacts>()
  /** Last known names of guests, for the time in which Proxmox does not tell them. */
  private readonly names = new Map<string, string>()
  private readonly identities = new Map<string, string>()
  private refreshedAt: number | null = null

  constructor(
    private readonly configured: () => readonly HostConfig[],
    private readonly ssh: Ssh
  ) {}

  factsOf(host: string): HostFacts | null {
    return this.facts.get(host) ?? null
  }

  errorOf(host: string): AppError | null {
    return this.errors.get(host) ?? null
  }

  learned(host: string, facts: HostFacts): void {
    this.facts.set(host, facts)
  }

  answered(host: string, at: number): void {
    this.errors.delete(host)
    this.seen.set(host, at)
  }

  failed(host: string, error: AppError): void {
    this.errors.set(host, error)
  }

  setCluster(cluster: string, facts: ClusterFacts, at: number): void {
    this.clusters.set(cluster, facts)
    this.refreshedAt = at
    for (const guest of facts.guests)
      if (guest.name !== null) this.names.set(`${cluster}/${guest.vmid}`, guest.name)
  }

  /** Forgets hosts that are no longer configured or have become another machine. */
  forgetStrangers(): void {
    const now = new Map(
      this.configured().map((host) => [host.name, `${host.user}@${host.address}:${host.port}`])
    )
    for (const [name, identity] of [...this.identities])
      if (now.get(name) !== identity) {
        for (const known of [this.facts, this.errors, this.seen, this.identities]) known.delete(name)
      }
    for (const [name, identity] of now) this.identities.set(name, identity)
    const alive = new Set(this.places().map((place) => place.cluster))
    for (const cluster of [...this.clusters.keys()]) if (!alive.has(cluster)) this.clusters.delete(cluster)
  }

  /**
   * Where each host that has answered stands. Two nodes by themselves may have the same name: the second gets
   * its host's name added, unless both have the same host key and so are one machine.
   */
  places(): Place[] {
    const places: Place[] = []
    const lone = new Map<string, string | null>()
    for (const { name: host } of this.configured()) {
      const facts = this.facts.get(host)
      if (!facts) continue
      const node = facts.node ?? host
      let cluster = facts.cluster ?? node
      if (facts.cluster === null) {
        const key = this.ssh.trustedKey(host)
        if (lone.has(node) && lone.get(node) !== key) cluster = `${node}@${host}`
        else lone.set(node, key)
      }
      places.push({ host, node, cluster })
    }
    return places
  }

  hosts(): HostView[] {
    const places = new Map(this.places().map((place) => [place.host, place]))
    return this.configured().map((config) => {
      const place = places.get(config.name)
      const node = place && this.clusters.get(place.cluster)?.nodes.find((entry) => entry.node === place.node)
      const up = node?.status === 'online'
      return {
        name: config.name,
        address: config.address,
        port: config.port,
        user: config.user,
        connection: this.ssh.connection(config.name),
        node: this.facts.get(config.name)?.node ?? null,
        version: this.facts.get(config.name)?.version ?? null,
        cpu: up ? node.cpu : null,
        cpus: node?.maxcpu ?? null,
        memory: up ? node.mem : null,
        maxMemory: node?.maxmem ?? null,
        uptime: up ? node.uptime : null,
        hostKey: this.ssh.trustedKey(config.name),
        error: this.errors.get(config.name) ?? null,
        seenAt: this.seen.get(config.name) ?? null
      }
    })
  }

  guests(): GuestView[] {
    return this.ofClusters((cluster, facts, hostOf) =>
      facts.guests.map((guest) => ({
        ...guest,
        name: guest.name ?? this.names.get(`${cluster}/${guest.vmid}`) ?? String(guest.vmid),
        cluster,
        host: hostOf(guest.node)
      }))
    ).sort((a, b) => a.cluster.localeCompare(b.cluster) || a.vmid - b.vmid)
  }

  storages(): StorageView[] {
    return this.ofClusters((_cluster, facts, hostOf) =>
      facts.storages.map((storage) => ({ ...storage, host: hostOf(storage.node) }))
    ).sort((a, b) => a.node.localeCompare(b.node) || a.name.localeCompare(b.name))
  }

  view(): FleetView {
    return {
      hosts: this.hosts(),
      guests: this.guests(),
      storages: this.storages(),
      refreshedAt: this.refreshedAt
    }
  }

  private ofClusters<T>(
    read: (cluster: string, facts: ClusterFacts, hostOf: (node: string) => string | null) => T[]
  ): T[] {
    const places = this.places()
    return [...this.clusters].flatMap(([cluster, facts]) =>
      read(
        cluster,
        facts,
        (node) => places.find((place) => place.cluster === cluster && place.node === node)?.host ?? null
      )
    )
  }
}
