import type {
  ActionRequest,
  ActionView,
  AllowanceView,
  ApprovalRoute,
  ApprovalView,
  AssentWindowView,
  AuditEntry,
  AuditVerification,
  ExecutionView,
  Origin,
  OutputSlice,
  PlanView
} from '../../src-preload/contract'
import type { Result } from '../base/result'
import type { AuditFilter } from '../store/audit'

export interface ExecutionRequest extends ActionRequest {
  readonly origin: Origin
  readonly sessionId: string | null
  /** The turn has read a web page or an external server's result: no new approval from the window. */
  readonly tainted?: boolean
  /** The request takes this step of an approved plan. */
  readonly plan?: { readonly id: string; readonly step: number }
}

export interface PlanProposal {
  readonly sessionId: string
  readonly title: string
  readonly summary: string
  readonly steps: readonly ActionRequest[]
}

export interface Decision {
  readonly id: string
  readonly hash: string
  readonly decision: 'approve' | 'deny'
  readonly route: ApprovalRoute
  readonly reason?: string
  readonly confirmName?: string
  readonly allowMinutes?: number
}

export interface ExecutionFilter {
  readonly query?: string
  readonly state?: 'all' | 'active' | 'waiting' | 'succeeded' | 'failed'
  readonly sessionId?: string
  /** Only what acts on this guest, whatever its name was. */
  readonly guest?: { readonly cluster: string; readonly vmid: number }
  readonly actions?: readonly string[]
  readonly before?: string
  readonly limit?: number
}

/** Executions, plans, approvals and assent windows: the only door to anything that changes a host. */
export interface Executions {
  actions(): readonly ActionView[]
  /**
   * Preflights, writes the execution with its approval (or decides by plan, policy or window) and, if approved,
   * starts it. Returns at once: `awaiting_approval`, `approved` or `starting`.
   * The same request by the same session while one is open returns that one.
   */
  request(request: ExecutionRequest): Promise<Result<ExecutionView>>
  /** Takes step `step` of a plan; errors `plan_not_approved`, `plan_step_done` and as `request`. */
  requestPlanStep(input: {
    sessionId: string
    planId: string
    step: number
    tainted: boolean
  }): Promise<Result<ExecutionView>>
  /** Preflights all steps (later ones see what earlier ones create) and writes the plan with its approval. */
  proposePlan(proposal: PlanProposal): Promise<Result<PlanView>>
  /**
   * One compare-and-set. Errors: `approval_not_found`, `approval_decided` (data: how), `approval_expired`,
   * `approval_changed` (another hash), `confirm_name_wrong`.
   */
  decide(decision: Decision): Result<ApprovalView>
  /**
   * Approves what waits in the session if the operator's whole message is assent; null when it is not assent or
   * nothing waits that assent may cover. Only for text that the operator typed. Errors: as `decide`, and
   * `assent_ambiguous` while something destructive waits beside what assent could approve.
   */
  assent(sessionId: string, typed: string): Result<readonly ApprovalView[]> | null
  /** Signals the job's process group, kills it after a grace time, checks that it is gone. */
  cancel(id: string): Promise<Result<ExecutionView>>
  /** A new execution with the same action, target and params. */
  rerun(id: string, origin: Origin): Promise<Result<ExecutionView>>
  get(id: string): Result<ExecutionView>
  list(filter: ExecutionFilter): { executions: readonly ExecutionView[]; total: number }
  open(): readonly ExecutionView[]
  plan(id: string): Result<PlanView>
  plansOf(sessionId: string): readonly PlanView[]
  waitingPlans(): readonly PlanView[]
  approval(id: string): Result<ApprovalView>
  approvalsOf(sessionId: string): readonly ApprovalView[]
  waitingApprovals(): readonly ApprovalView[]
  /** A slice of the raw output decoded as UTF-8; without offset the tail. */
  output(id: string, offset: number | undefined, limit: number): Promise<Result<OutputSlice>>
  /** Head and tail of the output for the model, escape sequences and secrets removed, with a note of what was cut. */
  outputForModel(id: string): Promise<string>
  /** Resolves when the execution is terminal or the time is over; for read-only ones whose result is awaited. */
  settled(id: string, timeoutMs: number): Promise<ExecutionView>
  /** Marks the result as told, so that no continuation is started for it. False when one already has it. */
  markDelivered(executionId: string, messageId: string | null): boolean
  window(sessionId: string): AssentWindowView | null
  windows(): readonly AssentWindowView[]
  /** What the operator has allowed beforehand, with "Allow exactly this", and is in force. */
  allowances(): readonly AllowanceView[]
  /** Error: `allowance_not_found`. */
  endAllowance(id: string): Result<null>
  endWindow(id: string, why: string): Result<AssentWindowView>
  audit: {
    list(filter: AuditFilter): readonly AuditEntry[]
    verify(): AuditVerification
    export(format: 'json' | 'csv'): string
  }
  /** At start: expires what is overdue, then reconciles every open job with its host. */
  recover(): Promise<void>
  /** After sleep: every deadline anew, every connection in doubt. */
  wake(): void
  /** Stops following; jobs on the hosts go on. */
  close(): Promise<void>
}
