import type { AppError } from './errors'

export type HostConnection = 'unknown' | 'connecting' | 'reachable' | 'unreachable' | 'blocked'

export interface HostView {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly connection: HostConnection
  /** Name of the Proxmox node behind the host, once it was asked. */
  readonly node: string | null
  readonly version: string | null
  readonly cpu: number | null
  readonly cpus: number | null
  readonly memory: number | null
  readonly maxMemory: number | null
  readonly uptime: number | null
  /** SHA256 fingerprint that is trusted, if any. */
  readonly hostKey: string | null
  readonly error: AppError | null
  readonly seenAt: number | null
}

/** A container or a virtual machine. Bytes, seconds; `cpu` is a fraction of `cpus`. */
export interface GuestView {
  readonly kind: 'lxc' | 'vm'
  readonly vmid: number
  readonly name: string
  readonly node: string
  /** The configured host that owns it; null when none is configured for its node. */
  readonly host: string | null
  readonly cluster: string
  readonly status: 'running' | 'stopped' | 'unknown'
  readonly cpu: number
  readonly cpus: number
  readonly memory: number
  readonly maxMemory: number
  readonly disk: number
  readonly maxDisk: number
  readonly uptime: number
  readonly tags: readonly string[]
  readonly lock: string | null
  readonly template: boolean
}

export interface StorageView {
  readonly name: string
  readonly node: string
  readonly host: string | null
  readonly type: string
  readonly content: readonly string[]
  readonly active: boolean
  readonly shared: boolean
  readonly used: number
  readonly total: number
}

export interface FleetView {
  readonly hosts: readonly HostView[]
  readonly guests: readonly GuestView[]
  readonly storages: readonly StorageView[]
  readonly refreshedAt: number | null
}

/** A host key that the operator has to judge before anything is sent to the host. */
export interface HostKeyOffer {
  readonly host: string
  readonly type: string
  readonly fingerprint: string
  /** The fingerprint trusted so far when the key has changed. */
  readonly expected: string | null
}

/** What was decided about the key of a host. */
export type HostKeyDecision = 'trusted' | 'pinned' | 'imported' | 'replaced' | 'forgotten'

/** What became of a configured host when a known_hosts file was read. */
export interface KnownHostOutcome {
  readonly host: string
  /**
   * `imported`: its keys are trusted now · `same`: they were already · `other_key`: another key is trusted and stays ·
   * `pinned`: the configuration says which key it has · `revoked`: the file forbids a key of it · `authority`: only a
   * certificate authority vouches for it, which is not supported · `unsupported`: no key of a type that is used ·
   * `absent`: the file does not name its address.
   */
  readonly outcome:
    'imported' | 'same' | 'other_key' | 'pinned' | 'revoked' | 'authority' | 'unsupported' | 'absent'
  /** SHA256 fingerprints of its keys in the file. */
  readonly fingerprints: readonly string[]
}

export interface KnownHostsReport {
  readonly hosts: readonly KnownHostOutcome[]
  /** Lines that could not be read, counted from 1. */
  readonly unreadable: readonly number[]
}

/** One step of the test of a new host, in the order in which they are tried. */
export interface HostTestStep {
  readonly step: 'key' | 'connect' | 'host_key' | 'login' | 'proxmox'
  readonly ok: boolean
  readonly message: string
  /** What went wrong, where the message is about an error. */
  readonly error?: AppError
}

export interface HostTestReport {
  readonly ok: boolean
  readonly steps: readonly HostTestStep[]
  readonly offer: HostKeyOffer | null
}
