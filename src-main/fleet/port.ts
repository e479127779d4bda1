import type { FleetSamples, FleetView, GuestView, HostView, StorageView } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** A target taken apart: `lxc:typetype@strong` → kind lxc, name typetype, node strong. */
export interface TargetName {
  readonly kind: 'host' | 'lxc' | 'vm'
  /** Name or, in digits, VMID. */
  readonly id: string
  readonly node: string | null
}

/** A target found on the fleet: which host to ask, and which guest there. */
export type ResolvedTarget =
  | { readonly kind: 'host'; readonly host: string; readonly node: string; readonly cluster: string }
  | {
      readonly kind: 'lxc' | 'vm'
      /** Configured host of the node that owns the guest (pct and qm are node-local). */
      readonly host: string
      readonly node: string
      readonly cluster: string
      readonly guest: GuestView
    }

/** What is known of the fleet; read from the hosts, kept in memory, announced as `fleet.changed`. */
export interface Fleet {
  view(): FleetView
  hosts(): readonly HostView[]
  guests(): readonly GuestView[]
  storages(): readonly StorageView[]
  /** The last samples of use of every host and guest, one for each time the fleet was asked. */
  samples(): FleetSamples
  /** Asks the hosts anew: one call a cluster. Unreachable hosts keep what was known, marked so. */
  refresh(host?: string): Promise<Result<FleetView>>
  /** View no older than `maxAgeMs` (default 15,000). */
  fresh(maxAgeMs?: number): Promise<Result<FleetView>>
  /**
   * Finds a target. Errors: `target_invalid`, `host_unknown`, `target_not_found` (with near names in the hint),
   * `target_ambiguous`, `host_unreachable`.
   */
  resolve(target: string): Promise<Result<ResolvedTarget>>
  /** Host to reach a node, by configured host name or node name. */
  hostOfNode(node: string): Result<string>
  /** `pvesh get PATH --output-format json` on the host, parsed. Errors as Ssh plus `pvesh_failed`. */
  pvesh(host: string, path: string, args?: readonly string[]): Promise<Result<unknown>>
}
