import type { AttachmentView } from './attachment'
import type { AppError } from './errors'
import type { ApprovalView, AssentWindowView, PlanView } from './approval'
import type { ExecutionView } from './execution'

export type SessionState = 'idle' | 'running' | 'waiting' | 'failed'

export interface SessionView {
  readonly id: string
  readonly title: string
  readonly state: SessionState
  readonly createdAt: number
  readonly updatedAt: number
  /** Name of one of the further models; null: the default one of the settings. */
  readonly model: string | null
  /** Bytes of its messages and of what its calls returned, as of its last turn. */
  readonly bytes: number
}

/** What the models of a session have used, as far as their services tell. */
export interface SessionUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input: what the service had read before. */
  readonly cachedTokens: number
  /** US dollars (a credit of OpenRouter is one); null where no service told it. */
  readonly cost: number | null
  /** What the newest answer has read and written; null before the first one. */
  readonly contextTokens: number | null
  /** The service does not count, so `contextTokens` is reckoned from the length of the text. */
  readonly estimated: boolean
}

export type MessageState = 'queued' | 'streaming' | 'done' | 'error'

/**
 * A piece of a message, in the order in which it came.
 * `tool_call`, `plan` and `approval` name things that live in their own tables.
 */
export type PartView =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'attachment' } & AttachmentView)
  | { readonly type: 'tool_call'; readonly id: string }
  | { readonly type: 'plan'; readonly id: string }
  /** The card of a gated execution; `id` is the execution's. */
  | { readonly type: 'approval'; readonly id: string }
  | { readonly type: 'notice'; readonly error: AppError; readonly offers: readonly NoticeOffer[] }

/** What the operator is offered beside a notice. */
export type NoticeOffer = 'retry' | 'continue' | 'settings' | 'usual_model'

export interface MessageView {
  readonly id: string
  readonly sessionId: string
  /** Order inside the session. */
  readonly seq: number
  readonly role: 'user' | 'assistant'
  readonly kind: 'turn' | 'continuation' | 'notice'
  readonly state: MessageState
  readonly createdAt: number
  readonly finishedAt: number | null
  readonly parts: readonly PartView[]
}

export type ToolCallState = 'pending' | 'running' | 'done' | 'failed' | 'interrupted'

/** One call as the tool group shows it; input and output are fetched when the row is opened. */
export interface ToolCallView {
  readonly id: string
  readonly messageId: string
  readonly sessionId: string
  readonly name: string
  /** "Reading the state of caddy". */
  readonly sentence: string
  /** The object alone, for the ✓: "caddy". */
  readonly object: string
  /** What it was called with, as far as sentences in other languages need it: short values only. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly state: ToolCallState
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly error: string | null
}

export interface ToolCallDetail extends ToolCallView {
  readonly input: unknown
  /** What the model was given. */
  readonly text: string | null
  readonly structured: unknown
}

/** What the agent does at this moment, in one line. */
export interface Activity {
  readonly sessionId: string
  readonly messageId: string | null
  /** `waiting`: the model's service has asked for a pause; `resting`: it has failed often and is left alone. */
  readonly phase: 'thinking' | 'answering' | 'tool' | 'waiting' | 'resting' | 'idle'
  readonly text: string
  /** The call that the text tells of, in the phase `tool`. */
  readonly call: Pick<ToolCallView, 'name' | 'object' | 'facts'> | null
  readonly since: number
  /** When a pause ends, in UTC milliseconds. */
  readonly until: number | null
}

/** Everything the chat needs to show a session, newest messages first in time. */
export interface SessionPage {
  readonly session: SessionView
  readonly messages: readonly MessageView[]
  readonly toolCalls: readonly ToolCallView[]
  readonly plans: readonly PlanView[]
  readonly executions: readonly ExecutionView[]
  readonly approvals: readonly ApprovalView[]
  readonly assent: AssentWindowView | null
  readonly activity: Activity | null
  readonly usage: SessionUsage
  /** True when there are older messages than the first one here. */
  readonly hasOlder: boolean
}

export interface SearchHit {
  readonly sessionId: string
  readonly sessionTitle: string
  readonly messageId: string
  /** Plain text; the matches stand between U+0002 and U+0003. */
  readonly snippet: string
  readonly at: number
}
