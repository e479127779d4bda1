import type { GuestView, HostView } from './fleet'

/** A guest as its node tells it now; the configuration without keys and passwords. */
export interface GuestDetail {
  readonly kind: 'guest'
  readonly target: string
  readonly guest: GuestView
  readonly config: Readonly<Record<string, string>>
  readonly addresses: readonly string[]
}

export interface HostDetail {
  readonly kind: 'host'
  readonly target: string
  readonly host: HostView
  readonly version: string | null
  readonly kernel: string | null
  readonly cpuModel: string | null
  readonly load: readonly string[]
  /** Fraction of time spent waiting for disks. */
  readonly ioWait: number | null
  /** Bytes. */
  readonly rootDisk: { readonly used: number; readonly total: number } | null
  readonly swap: { readonly used: number; readonly total: number } | null
}

export type TargetDetail = GuestDetail | HostDetail

export interface SnapshotView {
  readonly name: string
  readonly description: string
  readonly takenAt: number | null
  readonly parent: string | null
}

/** A systemd service as `systemctl list-units` shows it. */
export interface ServiceView {
  readonly name: string
  readonly load: string
  readonly active: string
  readonly sub: string
  readonly description: string
}

/** A package that apt would upgrade. */
export interface UpdateView {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly security: boolean
}

/** A task of a Proxmox node; `status` is `OK`, `running`, or why it failed. */
export interface TaskView {
  readonly upid: string
  readonly type: string
  readonly id: string
  readonly user: string
  readonly node: string
  readonly status: string
  readonly startedAt: number
  readonly endedAt: number | null
}

/** What lies on a storage: a template, a backup, a disk of a guest, an image. */
export interface StoredVolume {
  readonly volid: string
  /** `vztmpl`, `backup`, `rootdir`, `images`, `iso` … */
  readonly content: string
  readonly size: number
  readonly vmid: number | null
  readonly madeAt: number | null
}

export const usageSpans = ['hour', 'day', 'week'] as const
export type UsageSpan = (typeof usageSpans)[number]

/** A moment of a history of use; null where nothing was measured. CPU and memory are fractions, network bytes a second. */
export interface UsageSample {
  readonly at: number
  readonly cpu: number | null
  readonly memory: number | null
  readonly netIn: number | null
  readonly netOut: number | null
}

/** Fractions, the oldest first. */
export interface UsageSeries {
  readonly cpu: readonly number[]
  readonly memory: readonly number[]
}

/** By `host:NAME` and by `CLUSTER/KIND/VMID`. */
export type FleetSamples = Readonly<Record<string, UsageSeries>>

export interface TemplateOffer {
  /** As `pct_create` takes it: a volume that is there, or a file name to download. */
  readonly value: string
  readonly name: string
  readonly here: boolean
  readonly size: number | null
}

/** What a node offers for a new container. */
export interface NodeChoices {
  readonly templates: readonly TemplateOffer[]
  readonly bridges: readonly string[]
  /** Why something may be missing here. */
  readonly problems: readonly string[]
}
