import { fail, ok, type Result } from '../base/result'
import { findAction } from './actions/registry'
import { userOf, type Context } from './context'
import { subjectHash } from './hash'
import { parseRequest, prepare, worldOf } from './prepare'
import type { ExecutionRow } from './execution-row'
import { paramsOf, recordOf, type RecordColumns, type Recorded } from './record'
import { rule } from './policy'
import { namesOf } from './scope'

/** The stored columns of an execution, or of a plan's step, that its hash covers. */
export type HashedColumns = RecordColumns &
  Pick<ExecutionRow, 'host' | 'action' | 'target' | 'vmid' | 'guest_name' | 'risk'>

/**
 * The hash of what is stored, with the host's key and user as they are now. Errors: `record_damaged`, and
 * `action_unknown` for an action that is gone.
 */
export function currentHash(context: Context, row: HashedColumns): Result<string> {
  const action = findAction(row.action)
  if (!action.ok) return action
  const record = recordOf(row)
  if (!record.ok) return record
  const { prepared, commands } = record.value
  return ok(
    subjectHash({
      host: row.host,
      hostKey: context.ssh.trustedKey(row.host),
      user: userOf(context, row.host),
      action: row.action,
      target: row.target,
      vmid: row.vmid,
      guestName: row.guest_name,
      params: prepared.params,
      commands: commands.map(({ argv }) => argv),
      risk: row.risk,
      timeLimit: action.value.timeLimit
    })
  )
}

const minute = 60_000

/**
 * Whether an approved execution may be started at this moment: its approval stands and has not lapsed, and what is
 * stored is what was hashed, under the host's present key, and no rule forbids it by now. Answers what may be run.
 * Errors: `record_damaged`, `approval_missing`, `approval_expired`, `approval_changed`, `policy_denied`.
 */
export function mayStart(context: Context, row: ExecutionRow): Result<Recorded> {
  const record = recordOf(row)
  if (!record.ok) return record
  const hash = currentHash(context, row)
  if (!hash.ok || hash.value !== row.hash)
    return fail(
      'approval_changed',
      'The host, its key or its user has changed since this was approved. Nothing was run.',
      'Request it again.'
    )
  const { place } = record.value.prepared
  const ruling = rule(context.config.get().policies, {
    risk: row.risk,
    host: place.host,
    targets: namesOf(place)
  })
  if (ruling.decision === 'deny')
    return fail(
      'policy_denied',
      `Not allowed any more. ${ruling.rule}. Nothing was run.`,
      'The operator can change the rule in the settings.',
      { rule: ruling.said }
    )
  if (row.approval_id === null)
    return row.risk === 'read_only'
      ? record
      : fail('approval_missing', 'It has no approval. Nothing was run.')
  const approval = context.approvals.row(row.approval_id)
  if (approval?.state !== 'approved' || approval.hash !== row.hash || approval.decided_at === null)
    return fail('approval_missing', 'It has no approval that stands. Nothing was run.')
  const now = context.clock.now()
  const until = approval.decided_at + context.config.get().approvalExpiryMinutes * minute
  if (now > until || now < approval.requested_at)
    return fail(
      'approval_expired',
      'It could not be started while its approval held. Nothing was run.',
      'Request it again.'
    )
  return record
}

/**
 * Preflights an approved execution once more, right before it starts: what was true when it was approved has to be
 * true still. Errors: as preflight, and `facts_changed`.
 */
export async function preflightAgain(context: Context, row: ExecutionRow): Promise<Result<null>> {
  const params = paramsOf(row.params)
  if (!params.ok) return params
  const { action, target, why } = row
  const parsed = parseRequest({ action, target, params: params.value, why })
  if (!parsed.ok) return parsed
  // A VMID may belong to another guest since: what cannot be undone is not decided by what was known before.
  if (row.risk === 'destructive') await context.fleet.fresh(0)
  const card = await prepare(context, worldOf(context), parsed.value)
  if (!card.ok) return card
  if (card.value.hash === row.hash) return ok(null)
  return fail(
    'facts_changed',
    'What preflight finds now is not what was approved: other commands, or another guest. Nothing was run.',
    'Look at the state again and request it anew.',
    { commands: card.value.commands.map(({ text }) => text) }
  )
}
