import type { ApprovalView, Origin, RiskClass, Saying } from '../../src-preload/contract'
import { canonicalJson } from '../base/canonical'
import { newId } from '../base/ids'
import { redact } from '../base/redact'
import { fail, ok, type Result } from '../base/result'
import type { Tx } from '../store/store'
import type { ApprovalRow } from './approval-table'
import { approvalView } from './approval-table'
import type { Context } from './context'
import { freePlanStep, takePlanStep, type PlanStepUse } from './plan-use'
import { rule, type Ruling } from './policy'
import type { Card } from './prepare'
import { coverKeys, namesOf, scopeOf } from './scope'
import type { ExecutionRow } from './execution-row'
import { announce } from './transitions'
import type { Windows } from './windows'

/** A prepared request with who asks for it. */
export interface Asked {
  readonly card: Card
  readonly origin: Origin
  readonly sessionId: string | null
  readonly tainted: boolean
  readonly why: string
  /** The params as they were asked for. */
  readonly requested: unknown
  /** The request takes this step of a plan. */
  readonly planStep: PlanStepUse | null
  /** The failed execution in whose place this one comes. */
  readonly retryOf?: string
}

type RuleRoute = 'plan' | 'window' | 'policy'

const minute = 60_000

/** What the operator's rules say about a card. */
export function rulingOn(context: Context, card: Card): Ruling {
  const { place } = card.prepared
  return rule(context.config.get().policies, { risk: card.risk, host: place.host, targets: namesOf(place) })
}

/** The error for what a rule forbids. */
export const forbidden = (card: Card, ruling: Ruling): Result<never> =>
  fail(
    'policy_denied',
    `${card.title}: not allowed. ${ruling.rule}.`,
    'The operator can change the rule in the settings.',
    { rule: ruling.said }
  )

/**
 * Decides what may happen to a prepared request, and writes the execution, its approval and the audit entries.
 * The caller starts what comes back approved. Inside the caller's transaction.
 */
export function admit(context: Context, windows: Windows, tx: Tx, asked: Asked): Result<ExecutionRow> {
  const { card, sessionId, requested } = asked
  const twin =
    context.executions.openTwin(sessionId, card.action.name, card.target, canonicalJson(requested)) ??
    context.executions.openWithHash(sessionId, card.hash)
  if (twin && twin.id !== asked.retryOf) return ok(twin)
  const step = stepNow(context, asked)
  if (!step.ok) return step
  const planStep = step.value
  const ruling = rulingOn(context, card)
  if (ruling.decision === 'deny') return forbidden(card, ruling)

  const free = card.risk === 'read_only' && ruling.decision === 'allow'
  const route = free ? null : coveredBy(context, windows, tx, { ...asked, planStep }, ruling)
  const id = newId()
  const now = context.clock.now()
  const { place } = card.prepared
  context.executions.insert({
    id,
    sessionId,
    planId: planStep?.planId ?? null,
    planStep: planStep?.step ?? null,
    origin: asked.origin,
    action: card.action.name,
    target: card.target,
    host: place.host,
    cluster: place.cluster,
    vmid: place.vmid,
    guestName: place.guestName,
    title: card.title,
    requested: canonicalJson(requested),
    prepared: card.prepared,
    risk: card.risk,
    commands: card.commands,
    why: asked.why,
    tainted: asked.tainted,
    undo: card.undo,
    hash: card.hash,
    state: free || route ? 'approved' : 'awaiting_approval',
    retryOf: asked.retryOf ?? null,
    at: now
  })
  if (planStep) context.plans.setExecution(planStep.planId, planStep.step, id)
  context.audit.append('execution.requested', id, null, {
    origin: asked.origin,
    sessionId,
    title: redact(card.title),
    action: card.action.name,
    target: card.target,
    host: place.host,
    vmid: place.vmid,
    risk: card.risk,
    hash: card.hash
  })
  if (!free) {
    const approval = newApproval(context, {
      kind: 'execution',
      subjectId: id,
      title: card.title,
      sessionId,
      hash: card.hash,
      risk: card.risk,
      because: route === 'window' && ruling.decision === 'ask' ? covered(context, asked) : asks(card, ruling),
      confirmName: card.risk === 'destructive' ? (place.guestName ?? place.host) : null,
      route
    })
    tx.emit({ type: 'approval.changed', approval })
    if (route === 'window' && sessionId !== null)
      windows.widen(tx, sessionId, scopeOf(card.action, card.prepared))
  }
  announce(context, tx, id)
  const row = context.executions.row(id)
  if (!row) throw new Error(`execution ${id} was not written`)
  return ok(row)
}

/** The step of a plan that the request takes. Preparing took a while: whether its turn is still on is looked at anew. */
function stepNow(context: Context, { card, sessionId, planStep }: Asked): Result<PlanStepUse | null> {
  if (sessionId === null) return ok(null)
  if (!planStep) return ok(freePlanStep(context, sessionId, card.hash))
  const taken = takePlanStep(context, sessionId, planStep.planId, planStep.step)
  return taken.ok ? ok(taken.value.use) : taken
}

/** Why an approval is asked for or was given by itself, in words and apart from them. */
export interface Because {
  readonly rule: string
  readonly said: readonly Saying[]
}

/** The rule, and what of a free command makes it count as what it counts as. */
function asks({ action, prepared }: Card, ruling: Ruling): Because {
  const { reasons, said } = action.riskReasons?.(prepared) ?? { reasons: [], said: [] }
  return { rule: [ruling.rule, ...reasons].join(' '), said: [ruling.said, ...said] }
}

function covered({ allowances }: Context, { card, sessionId, origin }: Asked): Because {
  const until = allowances.until(card.hash, sessionId, origin)
  if (until === null)
    return { rule: 'Covered by the window you opened.', said: [{ id: 'rule.window', facts: {} }] }
  return {
    rule: `You allowed exactly this until ${new Date(until).toISOString().slice(11, 16)} UTC.`,
    said: [{ id: 'rule.allowed', facts: { until } }]
  }
}

/** By which rule the request needs no new decision of the operator; null when it has to ask. */
function coveredBy(
  context: Context,
  windows: Windows,
  tx: Tx,
  asked: Asked,
  ruling: Ruling
): RuleRoute | null {
  const { card, sessionId, origin, tainted, planStep } = asked
  if (card.risk === 'destructive') return null
  // The step was approved with its plan, in these very words.
  if (planStep?.unused === true && planStep.hash === card.hash) return 'plan'
  if (context.allowances.until(card.hash, sessionId, origin) !== null) return 'window'
  // What has been read outside may have said what to do next: nothing but the operator approves now.
  if (tainted) return null
  // A rule that the operator wrote to be asked is not answered by a window.
  if (ruling.decision === 'ask' && ruling.explicit) return null
  const keys = coverKeys(card.action, card.prepared)
  if (sessionId !== null && windows.covers(tx, sessionId, keys)) return 'window'
  return ruling.decision === 'allow' ? 'policy' : null
}

/** Writes an approval that waits, or, with a route, one that a rule has given. */
export function newApproval(
  context: Context,
  input: {
    kind: 'execution' | 'plan'
    subjectId: string
    /** What is to be decided, in words. */
    title: string
    sessionId: string | null
    hash: string
    risk: RiskClass
    because: Because
    confirmName: string | null
    route: RuleRoute | null
  }
): ApprovalView {
  const { clock, config, audit, approvals } = context
  const now = clock.now()
  const row: ApprovalRow = {
    id: newId(),
    subject_kind: input.kind,
    subject_id: input.subjectId,
    session_id: input.sessionId,
    hash: input.hash,
    risk: input.risk,
    rule: input.because.rule,
    rule_said: JSON.stringify(input.because.said),
    state: input.route ? 'approved' : 'awaiting_approval',
    confirm_name: input.confirmName,
    requested_at: now,
    expires_at: now + config.get().approvalExpiryMinutes * minute,
    decided_at: input.route ? now : null,
    route: input.route,
    reason: null
  }
  approvals.insert(row)
  audit.append(input.route ? 'approval.approved' : 'approval.requested', row.id, input.route, {
    [input.kind]: input.subjectId,
    title: redact(input.title),
    hash: input.hash,
    risk: input.risk,
    rule: input.because.rule
  })
  return approvalView(row)
}
