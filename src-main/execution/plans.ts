import type { PlanView } from '../../src-preload/contract'
import { canonicalJson } from '../base/canonical'
import { newId } from '../base/ids'
import { fail, ok, type Result } from '../base/result'
import type { PlannedGuest } from './actions/action'
import { findAction } from './actions/registry'
import { forbidden, newApproval, rulingOn } from './admit'
import type { Context } from './context'
import { planHash } from './hash'
import type { NewPlanStep } from './plan-table'
import type { PlanProposal } from './port'
import { parseRequest, prepare, worldOf, type Card } from './prepare'
import { recordOf } from './record'
import { scopeOf, type ScopeEntry } from './scope'
import { riskClasses } from '../../src-preload/contract'

const mostSteps = 40

/** A step that preflight has passed. */
interface ProposedStep {
  readonly card: Card
  readonly why: string
  readonly requested: Readonly<Record<string, unknown>>
}

/** Plans: an ordered list of actions, preflighted one after the other and approved as a whole. */
export class Plans implements PlanScopes {
  constructor(private readonly context: Context) {}

  /** See `Executions.proposePlan`. Errors: as preflight, told with the number of the step, and `session_not_found`. */
  async propose({ sessionId, title, summary, steps }: PlanProposal): Promise<Result<PlanView>> {
    if (steps.length === 0 || steps.length > mostSteps)
      return fail('plan_invalid', `A plan has 1 to ${mostSteps} steps; this one has ${steps.length}.`)
    const cards: ProposedStep[] = []
    const planned: PlannedGuest[] = []
    for (const [index, step] of steps.entries()) {
      const parsed = parseRequest(step)
      const card = parsed.ok
        ? await prepare(this.context, worldOf(this.context, { planned }), parsed.value)
        : parsed
      if (!card.ok) return inStep(card, index + 1, `${step.action} ${step.target}`)
      const ruling = rulingOn(this.context, card.value)
      if (ruling.decision === 'deny')
        return inStep(forbidden(card.value, ruling), index + 1, `${step.action} ${step.target}`)
      cards.push({ card: card.value, why: step.why, requested: step.params })
      foresee(planned, card.value)
    }
    return this.write(sessionId, title, summary, cards)
  }

  /** The targets of a plan's steps and what they create; steps that ask on their own are left out. */
  scopeOf(planId: string): readonly ScopeEntry[] {
    return this.context.plans.steps(planId).flatMap((step) => {
      if (step.risk === 'destructive') return []
      const action = findAction(step.action)
      const record = recordOf({ ...step, facts: step.prepared })
      return action.ok && record.ok ? scopeOf(action.value, record.value.prepared) : []
    })
  }

  private write(
    sessionId: string,
    title: string,
    summary: string,
    cards: readonly ProposedStep[]
  ): Result<PlanView> {
    const { context } = this
    const rows = cards.map(({ card, why, requested }, index): NewPlanStep => {
      const { place, params } = card.prepared
      return {
        idx: index + 1,
        action: card.action.name,
        target: card.target,
        host: place.host,
        vmid: place.vmid,
        guest_name: place.guestName,
        title: card.title,
        risk: card.risk,
        params: JSON.stringify(params),
        prepared: JSON.stringify(card.prepared),
        requested: canonicalJson(requested),
        commands: JSON.stringify(card.commands),
        why,
        undo: card.undo,
        hash: card.hash
      }
    })
    const risk = riskClasses[Math.max(...rows.map((row) => riskClasses.indexOf(row.risk)))] ?? 'destructive'
    const alone = rows.filter((row) => row.risk === 'destructive').map((row) => row.idx)
    return context.store.transact((tx) => {
      const known = context.store.db.prepare('SELECT 1 FROM sessions WHERE id = ?').get(sessionId)
      if (!known) return fail('session_not_found', 'The session of this plan does not exist any more.')
      const id = newId()
      const hash = planHash(
        title,
        rows.map((row) => row.hash)
      )
      const created_at = context.clock.now()
      context.plans.insert({ id, session_id: sessionId, title, summary, hash, created_at }, rows)
      context.audit.append('plan.proposed', id, null, {
        sessionId,
        title,
        hash,
        steps: rows.map((row) => row.hash)
      })
      const approval = newApproval(context, {
        kind: 'plan',
        subjectId: id,
        title,
        sessionId,
        hash,
        risk,
        because: {
          rule:
            alone.length === 0
              ? 'A plan is approved as a whole.'
              : `A plan is approved as a whole; step ${alone.join(', ')} will still ask on its own: destructive.`,
          said: [{ id: 'rule.plan', facts: { alone } }]
        },
        confirmName: null,
        route: null
      })
      const plan = context.plans.view(id)
      if (!plan) throw new Error(`plan ${id} was not written`)
      tx.emit({ type: 'plan.changed', plan })
      tx.emit({ type: 'approval.changed', approval })
      return ok(plan)
    })
  }
}

/** What approving a plan puts into the window's scope. */
export interface PlanScopes {
  scopeOf(planId: string): readonly ScopeEntry[]
}

/** Notes how a step leaves the guests it touches, for the preflight of the steps after it. */
function foresee(planned: PlannedGuest[], { action, prepared }: Card): void {
  const created = action.creates?.(prepared)
  if (created) planned.unshift(created)
  const status = action.leaves?.(prepared)
  const { target, vmid, guestName, resolved, node, host, cluster } = prepared.place
  if (status === undefined || vmid === null || target.kind === 'host') return
  planned.unshift({
    kind: target.kind,
    name: guestName ?? target.id,
    vmid,
    node,
    host,
    cluster,
    status,
    resolved
  })
}

function inStep(result: Result<never>, step: number, what: string): Result<never> {
  if (result.ok) return result
  const { code, message, hint, data } = result.error
  return fail(code, `Step ${step} (${what}): ${message}`, hint, { ...data, step })
}
