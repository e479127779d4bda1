import type { ActionRequest } from './execution'

export const signalKinds = [
  'host_unreachable',
  'guest_stopped',
  'unit_failed',
  'storage_full',
  'disk_full',
  'backup_stale',
  'reboot_needed',
  'updates_waiting'
] as const
export type SignalKind = (typeof signalKinds)[number]

/** How much a signal wants: `info` can wait, `warning` should be looked at, `critical` means something is down. */
export type SignalLevel = 'info' | 'warning' | 'critical'

export type SignalState = 'open' | 'acknowledged' | 'resolved'

/** A condition noticed on the fleet. It is resolved by itself once a look finds the condition gone. */
export interface SignalView {
  readonly id: string
  readonly kind: SignalKind
  readonly level: SignalLevel
  /** `lxc:105@strong`, `host:strong`. */
  readonly target: string
  /** The configured host it was seen on. */
  readonly host: string | null
  /** A sentence: "caddy (101) on strong is stopped". */
  readonly title: string
  readonly detail: string
  /** What title and detail speak of; empty for signals of earlier versions. */
  readonly facts: Readonly<Record<string, unknown>>
  /** What would mend it; null when that takes thought. */
  readonly action: ActionRequest | null
  readonly state: SignalState
  /** How often the condition came, this time included. */
  readonly count: number
  readonly openedAt: number
  readonly changedAt: number
  readonly acknowledgedAt: number | null
  readonly resolvedAt: number | null
  /** The execution that was started or asked for because of it. */
  readonly executionId: string | null
  /** It was so at the very first look, or came back shortly after it went: listed, not told. */
  readonly quiet: boolean
}
