import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { ModelCheckStep } from '../../src-preload/contract'
import type { Result } from '../base/result'
import type { ToolContext, ToolOutcome } from '../tools/tool'
import type { Breaker } from './breaker'

/** A tool as the model sees it. */
export interface ToolInfo {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
}

/** The tools, reached through the MCP gateway. */
export interface ToolPort {
  list(): Promise<readonly ToolInfo[]>
  /** Never throws: a failure is an outcome with `isError`. */
  call(name: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>
  /** Sentence and object for the tool group; a generic one for unknown tools or bad arguments. */
  sentence(name: string, args: unknown): { readonly sentence: string; readonly object: string }
}

export interface CurrentModel {
  readonly model: LanguageModelV3
  readonly label: string
  /** Tokens it reads at once. */
  readonly contextWindow: number
  /** Of its service, shared by all who ask it. */
  readonly breaker: Breaker
  /** What the operator should know of its address; null when there is nothing. */
  readonly warning: string | null
}

/** The models that are configured now. Asked at the start of each turn. */
export interface ModelSource {
  /**
   * The model of that name, or the default one.
   * Errors: `model_not_configured`, `model_unknown`, `secret_missing`, `keychain_unavailable`.
   */
  current(name: string | null): Promise<Result<CurrentModel>>
  /** Whether a further model of this name is set up. */
  has(name: string): boolean
}

/** What tells the model of the fleet in a few lines at the head of each turn. */
export type FleetSummary = () => string

export interface ModelDoctor {
  check(name: string | null, signal: AbortSignal): Promise<readonly ModelCheckStep[]>
}
