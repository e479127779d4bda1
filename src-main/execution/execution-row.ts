import type {
  ActionPlaceView,
  AppError,
  CommandLine,
  ExecutionState,
  ExecutionView,
  Origin,
  RiskClass,
  Verification,
  WaitsFor
} from '../../src-preload/contract'
import { readJson } from '../base/json'
import { redact } from '../base/redact'
import type { PreparedAction } from './actions/action'

/** A row of `executions`, with the id of its approval. */
export interface ExecutionRow {
  readonly id: string
  readonly session_id: string | null
  readonly plan_id: string | null
  readonly plan_step: number | null
  readonly origin: Origin
  readonly action: string
  readonly target: string
  readonly host: string
  readonly cluster: string | null
  readonly vmid: number | null
  readonly guest_name: string | null
  readonly title: string
  readonly requested: string
  readonly params: string
  readonly facts: string
  readonly risk: RiskClass
  readonly commands: string
  readonly why: string
  readonly undo: string
  readonly hash: string
  readonly state: ExecutionState
  readonly step: string | null
  readonly percent: number | null
  readonly requested_at: number
  readonly approved_at: number | null
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly deadline_at: number | null
  readonly cancel_requested_at: number | null
  readonly exit_code: number | null
  readonly error: string | null
  readonly verification: string | null
  readonly output_bytes: number
  readonly cleaned_at: number | null
  readonly waits_for: string | null
  readonly retry_of: string | null
  /** 1: asked for by a turn that had read text from outside. */
  readonly tainted: 0 | 1
  readonly approval_id: string | null
}

/** What is written when an execution is requested; everything else comes with its transitions. */
export interface NewExecution {
  readonly id: string
  readonly sessionId: string | null
  readonly planId: string | null
  readonly planStep: number | null
  readonly origin: Origin
  readonly action: string
  readonly target: string
  readonly host: string
  readonly cluster: string
  readonly vmid: number | null
  readonly guestName: string | null
  readonly title: string
  /** Canonical JSON of the params as they were asked for. */
  readonly requested: string
  readonly prepared: PreparedAction<unknown, unknown>
  readonly risk: RiskClass
  readonly commands: readonly CommandLine[]
  readonly why: string
  readonly tainted: boolean
  readonly undo: string
  readonly hash: string
  readonly state: 'awaiting_approval' | 'approved'
  readonly retryOf: string | null
  readonly at: number
}

/** Fields that a transition or a sign of progress may change. */
export interface ExecutionChange {
  readonly step?: string | null
  readonly percent?: number | null
  readonly approvedAt?: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly deadlineAt?: number
  readonly cancelRequestedAt?: number
  readonly exitCode?: number | null
  readonly error?: AppError | null
  readonly verification?: Verification | null
  readonly outputBytes?: number
  readonly cleanedAt?: number
  readonly waitsFor?: WaitsFor | null
}

/** Where it acts and what was found, as it is shown. */
export function placeShown(
  json: string,
  { host, vmid, guest_name }: Pick<ExecutionRow, 'host' | 'vmid' | 'guest_name'>
): ActionPlaceView {
  const prepared = readJson(json) as { place?: { node?: string }; facts?: unknown } | null | undefined
  return {
    host,
    node: prepared?.place?.node ?? host,
    vmid,
    guestName: guest_name,
    found: (prepared?.facts as Record<string, unknown> | null | undefined) ?? {}
  }
}

/** What it does, in words, for records that are kept for good: without secrets. */
export const titleOf = (row: Pick<ExecutionRow, 'title'>): string => redact(row.title)

/** In the place of commands that cannot be read any more; such a record is shown, never run. */
const damagedCommands: readonly CommandLine[] = [
  { step: 'damaged', argv: [], text: 'The record of these commands is damaged.' }
]

const damagedError: AppError = {
  code: 'record_damaged',
  message: 'The record of what went wrong is damaged.'
}

/** Commands as they are shown, from a column that may be damaged. */
export const shownCommands = (json: string): readonly CommandLine[] =>
  (readJson(json) as readonly CommandLine[] | undefined) ?? damagedCommands

export const shownParams = (json: string): Record<string, unknown> =>
  (readJson(json) as Record<string, unknown> | undefined) ?? {}

/** As it is shown; what is damaged in one record keeps no other from being listed. */
export const executionView = (row: ExecutionRow): ExecutionView => ({
  id: row.id,
  sessionId: row.session_id,
  planId: row.plan_id,
  planStep: row.plan_step,
  origin: row.origin,
  action: row.action,
  target: row.target,
  ...placeShown(row.facts, row),
  title: row.title,
  params: shownParams(row.params),
  risk: row.risk,
  commands: shownCommands(row.commands),
  why: row.why,
  undo: row.undo,
  hash: row.hash,
  state: row.state,
  step: row.step,
  percent: row.percent,
  requestedAt: row.requested_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  exitCode: row.exit_code,
  error: row.error === null ? null : ((readJson(row.error) as AppError | undefined) ?? damagedError),
  verification: (readJson(row.verification ?? 'null') as Verification | null | undefined) ?? null,
  outputBytes: row.output_bytes,
  waitsFor: (readJson(row.waits_for ?? 'null') as WaitsFor | null | undefined) ?? null,
  retryOf: row.retry_of,
  approvalId: row.approval_id
})
