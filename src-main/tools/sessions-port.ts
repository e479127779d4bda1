import type { MessageView, SessionView, ToolCallDetail } from '../../src-preload/contract'
import type { Result } from '../base/result'

/** A session as it was recorded, for looking back at it. */
interface SessionRecord {
  readonly session: SessionView
  /** In the order in which they were written. */
  readonly messages: readonly MessageView[]
  readonly toolCalls: readonly ToolCallDetail[]
}

/** The sessions that were kept, as tools can read them. */
export interface SessionsPort {
  /** The latest first. */
  list(limit: number): readonly SessionView[]
  /** Error: `session_not_found`. */
  record(id: string): Result<SessionRecord>
}
