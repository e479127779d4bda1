import type { ActionPlaceView, CommandLine, ExecutionState, RiskClass, Saying } from './execution'

export const approvalRoutes = [
  'chat',
  'chat_assent',
  'ops',
  'fleet',
  'notification',
  'dialog',
  'tray',
  'matrix'
] as const
/** How the operator decided. */
export type ApprovalRoute = (typeof approvalRoutes)[number]

export type ApprovalState = 'awaiting_approval' | 'approved' | 'denied' | 'expired'

/** The operator's decision on one execution or one plan, bound to the hash of what runs. */
export interface ApprovalView {
  readonly id: string
  readonly subject: { readonly kind: 'execution' | 'plan'; readonly id: string }
  readonly sessionId: string | null
  readonly hash: string
  readonly risk: RiskClass
  readonly state: ApprovalState
  /** Which policy rule asks, in words. */
  readonly rule: string
  /** What the rule says, sentence by sentence; empty for approvals of earlier versions. */
  readonly ruleSaid: readonly Saying[]
  readonly requestedAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  /** `window`, `policy` and `plan` are decisions by rule, everything else by the operator. */
  readonly route: ApprovalRoute | 'window' | 'policy' | 'plan' | null
  readonly reason: string | null
  /** For destructive executions: the name that must be typed before Approve works. */
  readonly confirmName: string | null
}

export interface PlanStepView extends ActionPlaceView {
  /** Counted from 1. */
  readonly index: number
  readonly action: string
  readonly target: string
  readonly title: string
  readonly risk: RiskClass
  readonly params: Readonly<Record<string, unknown>>
  readonly commands: readonly CommandLine[]
  readonly why: string
  readonly undo: string
  readonly hash: string
  /** The latest execution of this step, if it was requested. */
  readonly executionId: string | null
  readonly executionState: ExecutionState | null
}

/** An ordered list of actions proposed by the agent, approved as a whole. */
export interface PlanView {
  readonly id: string
  readonly sessionId: string
  readonly title: string
  readonly summary: string
  readonly hash: string
  readonly state: ApprovalState
  readonly approvalId: string
  readonly createdAt: number
  readonly steps: readonly PlanStepView[]
}

/** "Allow exactly this": the same commands on the same target need no new approval in their session for a while. */
export interface AllowanceView {
  /** The id of the approval that it was given with. */
  readonly id: string
  /** The execution that was approved. */
  readonly executionId: string
  readonly sessionId: string | null
  readonly title: string
  readonly target: string
  readonly expiresAt: number
}

/** 30 minutes in which results continue by themselves and requests in scope need no new approval. */
export interface AssentWindowView {
  readonly id: string
  readonly sessionId: string
  readonly openedAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
  readonly endedWhy: string | null
  /** Targets it covers, such as `lxc:typetype`. */
  readonly scope: readonly string[]
  readonly continuations: number
}
