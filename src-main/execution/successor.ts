import type { AppError } from '../../src-preload/contract'
import { crashPoint } from '../base/crash-points'
import type { Tx } from '../store/store'
import { admit } from './admit'
import type { Context } from './context'
import type { ExecutionRow } from './execution-row'
import { takePlanStep } from './plan-use'
import { parseRequest, prepare, worldOf, type Card } from './prepare'
import { paramsOf } from './record'
import type { Windows } from './windows'

/** What an execution that failed is told to have failed of, in the transaction that writes it. */
export type FailureIn = (tx: Tx) => { readonly error: AppError; readonly startNext: string | null }

/** Requests in a row by themselves, before somebody has to look. */
const mostInARow = 3

/**
 * A VMID that was picked for a new guest can be taken by somebody else before it is used: Proxmox reserves none, and
 * the approval is bound to it. Then the same is requested again by itself, under the VMID that is free now: covered by
 * the open window, or with a card of its own. A VMID that was asked for by number is not replaced.
 */
export async function failureOf(
  context: Context,
  windows: Windows,
  row: ExecutionRow,
  error: AppError
): Promise<FailureIn> {
  const asIs: FailureIn = () => ({ error, startNext: null })
  if (error.code !== 'vmid_taken') return asIs
  const asked = paramsOf(requestedOf(context, row))
  if (!asked.ok || namesVmid(asked.value)) return asIs
  const requested = asked.value
  if (triesBefore(context, row) >= mostInARow) return asIs
  const parsed = parseRequest({ action: row.action, target: row.target, params: requested, why: row.why })
  if (!parsed.ok) return asIs
  await context.fleet.fresh(0)
  const card = await prepare(context, worldOf(context), parsed.value)
  if (!card.ok) return () => ({ error: { ...error, hint: card.error.message }, startNext: null })
  return (tx) => askAnew(context, windows, tx, row, error, card.value, requested)
}

function askAnew(
  context: Context,
  windows: Windows,
  tx: Tx,
  row: ExecutionRow,
  error: AppError,
  card: Card,
  requested: Readonly<Record<string, unknown>>
): ReturnType<FailureIn> {
  const { plan_id: planId, plan_step: step, session_id: sessionId } = row
  const taken =
    planId === null || step === null || sessionId === null
      ? null
      : takePlanStep(context, sessionId, planId, step)
  crashPoint('before-successor-request')
  const next = admit(context, windows, tx, {
    card,
    requested,
    sessionId,
    origin: row.origin,
    why: row.why,
    // The same request as before in all but the number: what was read since has no part in it, what was read before has.
    tainted: row.tainted === 1,
    planStep: taken?.ok ? taken.value.use : null,
    retryOf: row.id
  })
  if (!next.ok) return { error: { ...error, hint: next.error.message }, startNext: null }
  const { id, state, title } = next.value
  const waits = state === 'awaiting_approval'
  return {
    error: {
      ...error,
      hint: `It was requested again by itself as execution ${id} (${title}), which ${
        waits ? 'waits for approval' : 'goes ahead'
      }: do not request it once more.`,
      data: { ...error.data, requestedAgain: id }
    },
    startNext: waits ? null : id
  }
}

/** Whether whoever asked wants one certain VMID for the new guest. `requested`: the params as asked for. */
export const namesVmid = (requested: Readonly<Record<string, unknown>>): boolean =>
  requested['vmid'] !== undefined || requested['newVmid'] !== undefined

/** The params as somebody wrote them: a plan keeps its own, with nothing picked yet. */
function requestedOf({ plans }: Context, row: ExecutionRow): string {
  const step =
    row.plan_id === null ? undefined : plans.steps(row.plan_id).find((each) => each.idx === row.plan_step)
  return step?.requested ?? row.requested
}

function triesBefore({ executions }: Context, row: ExecutionRow): number {
  let tries = 0
  for (let before = row.retry_of; before !== null && tries < mostInARow; tries++)
    before = executions.row(before)?.retry_of ?? null
  return tries
}
