import type { Config, ConfigProblem } from './config'
import type { AppError } from './errors'

export interface SecretsState {
  /** Where secrets are kept; `memory` means: for this run only. */
  readonly backend: 'keychain' | 'memory'
  /** Why there is no keychain, in the operator's words. */
  readonly reason: string | null
  /** Names, never values. */
  readonly names: readonly string[]
}

/** What a secret is, as far as may be shown. */
export interface SecretCheck {
  /** `locked_key`: a private key that needs its passphrase. */
  readonly kind: 'key' | 'locked_key' | 'text'
  /** SHA256 fingerprint of a private key that can be read. */
  readonly fingerprint: string | null
}

/** A model that a session can use. */
export interface ModelChoice {
  /** Null: the default one. */
  readonly name: string | null
  /** What the service calls it, such as "scripted (lab)". */
  readonly label: string
  readonly contextWindow: number
}

export interface SettingsView {
  readonly config: Config
  readonly configPath: string
  readonly problems: readonly ConfigProblem[]
  readonly secrets: SecretsState
  /** True while the lab runs: its hosts and its scripted model stand in for real ones. */
  readonly labRunning: boolean
  /** Label of the model in use, such as "scripted (lab)"; null when none is set up. */
  readonly model: string | null
  /** The default one, if it is set up, and the further ones. */
  readonly models: readonly ModelChoice[]
}

/** One thing that the check of a model tried. */
export interface ModelCheckStep {
  readonly name:
    'text' | 'tool' | 'parallel_tools' | 'tool_without_arguments' | 'long_prompt' | 'cancel' | 'address'
  readonly ok: boolean
  readonly message: string
  /** What went wrong, where the message is that of an error. */
  readonly error?: AppError
}

/** What entries of the audit trail are about. */
export const auditSubjects = ['all', 'decisions', 'executions', 'hosts', 'tools'] as const
export type AuditSubject = (typeof auditSubjects)[number]

/** An entry of the append-only, hash-chained audit trail. */
export interface AuditEntry {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly route: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly hash: string
  /** Sentences of `data` in the operator's language; `data` itself stays as it was hashed. */
  readonly said?: { readonly title?: string; readonly rule?: string }
}

export interface AuditVerification {
  readonly ok: boolean
  readonly entries: number
  /** First entry that does not fit the chain. */
  readonly brokenAt: number | null
}
