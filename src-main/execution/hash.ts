import type { RiskClass } from '../../src-preload/contract'
import { canonicalJson, sha256 } from '../base/canonical'

/** What an approval is bound to: change any of it and the operator is asked again. */
export interface HashedSubject {
  readonly host: string
  /** SHA256 fingerprint of the host key that is trusted; null when none is. */
  readonly hostKey: string | null
  /** As whom; null when the host is not configured. */
  readonly user: string | null
  readonly action: string
  readonly target: string
  readonly vmid: number | null
  /** A VMID can be given to another guest: the name that was shown is approved with it. */
  readonly guestName: string | null
  readonly params: unknown
  /** The argv of every command line, in order. */
  readonly commands: readonly (readonly string[])[]
  readonly risk: RiskClass
  /** Seconds. */
  readonly timeLimit: number
}

/** The hash of exactly what would run. */
export const subjectHash = (subject: HashedSubject): string => sha256(canonicalJson({ ...subject }))

/** The hash of a plan: its title and the hashes of its steps, in order. */
export const planHash = (title: string, steps: readonly string[]): string =>
  sha256(canonicalJson({ title, steps }))
