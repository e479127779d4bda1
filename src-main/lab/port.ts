import type { Config } from '../../src-preload/contract'

/** A running lab: what the configuration in force is laid over with. */
export interface Lab {
  /** Hosts (with pinned keys and key files below `folder`) and the scripted model's address. */
  readonly config: Pick<Config, 'hosts' | 'model'> & { readonly webFetchAllow: readonly string[] }
  /** Base URL of the small web site the lab serves; `github.com/...` of the scenes is mapped to it. */
  readonly web: string
  stop(): Promise<void>
}

export interface LabOptions {
  /** Folder for generated keys and the simulated cluster's state; survives a restart of the app. */
  readonly folder: string
  /** 1 = real pace of a demo (about 8 s for pct create), 0.1 = for tests. */
  readonly pace: number
}
