import type { ActionRequest, SignalKind, SignalLevel, SignalView } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** A condition as one look found it. */
export interface Condition {
  readonly kind: SignalKind
  /** The thing it concerns: `homelab/102` for a guest, `host/strong`, `storage/strong/local`. */
  readonly subject: string
  /** Which of several of one kind on one thing, such as the unit's name; empty when there is but one. */
  readonly about: string
  readonly level: SignalLevel
  readonly target: string
  readonly host: string | null
  readonly title: string
  readonly detail: string
  /** What title and detail speak of, apart from their words. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly action: ActionRequest | null
}

/** What a look found, and what it looked at: an open signal it covers without finding it again is resolved. */
export interface Look {
  readonly conditions: readonly Condition[]
  /** `kind subject` of everything that was really asked. */
  readonly covers: ReadonlySet<string>
}

/** Conditions noticed on the fleet. */
export interface Signals {
  /** Those that are not resolved, the gravest and newest first; with `all` the latest 200 resolved ones too. */
  list(which: 'unresolved' | 'all'): readonly SignalView[]
  /** Error: `signal_not_found`, `signal_resolved`. */
  acknowledge(id: string): Result<SignalView>
  /** Takes an acknowledgement back. Error: `signal_not_found`, `signal_resolved`. */
  unacknowledge(id: string): Result<SignalView>
}
