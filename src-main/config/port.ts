import type { Config, ConfigProblem } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** The configuration in force: the file's fields that are valid, defaults for the rest. */
export interface ConfigService {
  get(): Config
  readonly path: string
  problems(): readonly ConfigProblem[]
  /** Merges and writes the file (to a new file, then renamed); fields the operator wrote stay as they are. */
  update(patch: Partial<Config>): Result<Config>
  /** Calls `listener` after every change until the returned function is called. */
  onChange(listener: (config: Config) => void): () => void
}
