import type { Config } from '../../src-preload/contract'

/** A running lab: what the configuration in force is laid over with. */
export interface Lab {
  /** Hosts (with pinned keys and key files below `folder`) and the scripted model's address. */
  readonly config: Pick<Config, 'hosts' | 'model'> & { readonly webFetchAllow: readonly string[] }
  /** Base URL of the small web site the lab serves. */
  readonly web: string
  /** Where the lab serves a page of the internet by itself; null for any other address. */
  rewrite(url: string): string | null
  /** The simulated cluster and its jobs as they are now; for tests and for the curious. */
  inspect(): LabView
  readonly faults: LabFaults
  /** Stops the servers. The simulated hosts go on: what was due meanwhile happens at the next start. */
  stop(): Promise<void>
}

export interface LabView {
  readonly guests: readonly {
    readonly vmid: number
    readonly name: string
    readonly node: string
    readonly kind: 'lxc' | 'vm'
    readonly status: 'running' | 'stopped'
    readonly lock: string | null
  }[]
  readonly jobs: readonly {
    readonly id: string
    readonly node: string
    /** How often it was really started. */
    readonly starts: number
    readonly state: 'running' | 'exit' | 'lost' | 'interrupted'
    readonly code: number | null
  }[]
  /** Ids of jobs that were cleaned up are still counted here. */
  readonly starts: Readonly<Record<string, number>>
  /** Command lines that came over SSH since the start, oldest first; at most 1000, host scripts cut short. */
  readonly commands: readonly { readonly node: string; readonly line: string }[]
}

/** What can go wrong on a real network, on demand. */
interface LabFaults {
  /** Cuts the TCP connections of a node, or of all. */
  dropConnections(node?: string): void
  /** Restarts a node: its jobs are interrupted, its boot id is another one. */
  reboot(node: string): void
}

export interface LabOptions {
  /** Folder for generated keys and the simulated cluster's state; survives a restart of the app. */
  readonly folder: string
  /** 1 = real pace of a demo (about 8 s for pct create), 0.1 = for tests. */
  readonly pace: number
}
