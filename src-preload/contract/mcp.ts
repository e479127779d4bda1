import type { AppError } from './errors'

/**
 * `unconfirmed`: nothing is started or connected before the operator has confirmed exactly what;
 * `waiting`: it broke off and is tried again by itself; `failed`: it is not, until the operator says so.
 */
export type McpServerState = 'unconfirmed' | 'connecting' | 'connected' | 'waiting' | 'failed'

/**
 * `off` until it is allowed; `changed`: it was allowed and is not the same any more, so it is off again;
 * `unusable`: its definition cannot be served at all.
 */
export type McpToolState = 'off' | 'allowed' | 'changed' | 'unusable'

/** A tool of an external server, as the operator decides about it. Its words are the server's own. */
export interface McpToolView {
  readonly name: string
  /** As the agent calls it: `server__tool`. */
  readonly calledAs: string
  readonly description: string
  /** SHA-256 of the definition; allowing a tool is bound to it. */
  readonly hash: string
  readonly state: McpToolState
  /** What was allowed, where the definition is another one now. */
  readonly allowedDescription: string | null
  /** What it takes, such as `path: string, depth?: integer`. */
  readonly takes: string
  /** Why it cannot be used. */
  readonly problem: string | null
}

/** What would be started or connected to, exactly as it is written in the configuration. */
export type McpLaunch =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly kind: 'http'; readonly url: string; readonly token: string | null }

/** An external MCP server. */
export interface McpServerView {
  readonly name: string
  readonly launch: McpLaunch
  /** SHA-256 of `launch`; the operator's confirmation is bound to it. */
  readonly hash: string
  readonly state: McpServerState
  readonly error: AppError | null
  /** What the program wrote to its error output last. */
  readonly stderr: string
  readonly tools: readonly McpToolView[]
}
