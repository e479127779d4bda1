import type { AllowanceView, ApprovalView, AssentWindowView, PlanView } from './approval'
import type { ExecutionView } from './execution'
import type { FleetView, HostKeyDecision, HostView } from './fleet'
import type { SkillView } from './knowledge'
import type { McpServerView } from './mcp'
import type { Activity, MessageView, SessionUsage, SessionView, ToolCallView } from './session'
import type { SettingsView } from './settings'
import type { SignalView } from './signal'

/**
 * What the main process tells the screen. Events are hints about state that is already written:
 * each carries the whole new view of its thing, so applying one twice changes nothing.
 */
export type NomosEvent =
  | { readonly type: 'session.changed'; readonly session: SessionView }
  | { readonly type: 'session.deleted'; readonly sessionId: string }
  | { readonly type: 'message.changed'; readonly message: MessageView }
  | { readonly type: 'message.removed'; readonly sessionId: string; readonly messageId: string }
  /** Text that was added to the part at `index`, from character `offset` on. */
  | {
      readonly type: 'message.delta'
      readonly sessionId: string
      readonly messageId: string
      readonly index: number
      readonly offset: number
      readonly text: string
    }
  | { readonly type: 'tool_call.changed'; readonly call: ToolCallView }
  | { readonly type: 'usage.changed'; readonly sessionId: string; readonly usage: SessionUsage }
  | { readonly type: 'activity.changed'; readonly activity: Activity }
  | { readonly type: 'plan.changed'; readonly plan: PlanView }
  | { readonly type: 'approval.changed'; readonly approval: ApprovalView }
  | { readonly type: 'execution.changed'; readonly execution: ExecutionView }
  /** New output; when `offset` is beyond what the screen holds, it fetches the tail anew. */
  | {
      readonly type: 'execution.output'
      readonly executionId: string
      readonly offset: number
      readonly text: string
      readonly totalBytes: number
    }
  | { readonly type: 'assent.changed'; readonly assent: AssentWindowView }
  | { readonly type: 'allowance.changed'; readonly allowance: AllowanceView; readonly ended: boolean }
  | { readonly type: 'fleet.changed'; readonly fleet: FleetView }
  | { readonly type: 'host.changed'; readonly host: HostView }
  | { readonly type: 'signal.changed'; readonly signal: SignalView }
  /** Whose key is trusted, or is no more. */
  | {
      readonly type: 'host.key_decided'
      readonly host: string
      readonly decision: HostKeyDecision
      readonly fingerprint: string
    }
  | { readonly type: 'settings.changed'; readonly settings: SettingsView }
  /** An external MCP server, its tools or what is allowed of them; `gone`: it was removed. */
  | { readonly type: 'mcp.changed'; readonly server: McpServerView; readonly gone: boolean }
  | { readonly type: 'skill.changed'; readonly skill: SkillView }
  /** The operator clicked a notification or the tray: show this place. */
  | { readonly type: 'navigate'; readonly to: Place }
  /** Something the whole window must say, such as a full disk. */
  | { readonly type: 'banner'; readonly code: string; readonly message: string; readonly gone: boolean }

/** A place in the app that something outside the page can lead to. */
export type Place =
  | { readonly page: 'chat'; readonly sessionId?: string; readonly messageId?: string }
  | { readonly page: 'ops'; readonly executionId?: string }
  | { readonly page: 'fleet' }
  | { readonly page: 'knowledge' }
  | { readonly page: 'settings'; readonly section?: string }

/** An event on its way to a window. A gap in `seq` means: ask for everything anew. */
export interface SequencedEvent {
  readonly seq: number
  readonly at: number
  readonly event: NomosEvent
}
