import type { SecretsState } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** Secrets by name. Values never leave the main process. */
export interface Secrets {
  /** Resolves `env:NAME` or `keychain:NAME`. Errors: `secret_missing`, `keychain_unavailable`. */
  resolve(ref: string): Promise<Result<string>>
  set(name: string, value: string): Promise<Result<null>>
  delete(name: string): Promise<Result<null>>
  /** Where secrets are kept and which there are; names only. */
  state(): Promise<SecretsState>
  /** Asks the keychain once more, such as after it was unlocked; what was kept for this run is then kept there. */
  retry(): Promise<SecretsState>
}
