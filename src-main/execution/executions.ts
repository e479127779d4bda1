import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import {
  isTerminal,
  type ActionView,
  type AssentWindowView,
  type ExecutionView,
  type OutputSlice
} from '../../src-preload/contract'
import { canonicalJson } from '../base/canonical'
import { crashPoint } from '../base/crash-points'
import { messageOf, fail, ok, type Result } from '../base/result'
import { actions } from './actions/registry'
import { admit } from './admit'
import { approvalView } from './approval-table'
import { Approvals } from './approvals'
import { createContext, type ExecutionDependencies } from './context'
import { Deadlines } from './deadlines'
import { JobClient } from './jobs/job-client'
import { Outputs } from './jobs/output'
import { Runner } from './jobs/runner'
import { sweep } from './jobs/sweep'
import { markTold } from './outbox'
import { takePlanStep, type PlanStepUse } from './plan-use'
import { Plans } from './plans'
import type { ExecutionRequest, Executions } from './port'
import { parseRequest, prepare, worldOf } from './prepare'
import { paramsOf } from './record'
import { jobStates } from './states'
import { failureOf, namesVmid } from './successor'
import { executionView, titleOf } from './execution-row'
import { move, update } from './transitions'
import { Windows } from './windows'

/** Builds the executions; nothing runs before `recover`, or a request that is approved. */
export function createExecutions(deps: ExecutionDependencies): Executions {
  const context = createContext(deps)
  const { store, ssh, executions, approvals, plans, audit, clock, log } = context
  const outputs = new Outputs(deps.home, store)
  const client = new JobClient(ssh)
  const windows = new Windows(context)
  const runner = new Runner(context, client, outputs, (row, error) => failureOf(context, windows, row, error))
  const planning = new Plans(context)
  const deciding = new Approvals(context, windows, planning, (id) => runner.run(id))
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  const expireAll = () =>
    store.transact((tx) => {
      deciding.expire(tx)
      windows.expire(tx)
      context.allowances.expire(tx)
    })
  const deadlines = new Deadlines(
    clock,
    () => [deciding.nextDeadline(), windows.nextDeadline(), context.allowances.nextDeadline()],
    () => {
      try {
        expireAll()
      } catch (error) {
        log.log('error', 'execution', `deadlines: ${messageOf(error)}`)
      }
    }
  )
  const watched = new Set(['approval.changed', 'assent.changed', 'allowance.changed'])
  const unsubscribe = [
    store.bus.subscribe(({ event }) => watched.has(event.type) && deadlines.arm()),
    ssh.onConnection((host, state) => {
      if (state === 'reachable') runner.wake(host)
    }),
    store.bus.subscribe(({ event }) => {
      if (event.type === 'host.key_decided' && event.decision === 'forgotten')
        store.transact((tx) => deciding.voidHost(tx, event.host, `The key of ${event.host} was forgotten.`))
    }),
    ssh.onHostKey((offer) => {
      if (offer.expected !== null)
        store.transact((tx) =>
          deciding.voidHost(tx, offer.host, `The host key of ${offer.host} has changed.`)
        )
    })
  ]

  const view = (id: string): Result<ExecutionView> => {
    const row = executions.row(id)
    return row ? ok(executionView(row)) : fail('execution_not_found', 'There is no such execution.')
  }

  /** Prepares, decides, writes; starts what comes out approved. */
  async function request(
    asked: ExecutionRequest,
    planStep: PlanStepUse | null
  ): Promise<Result<ExecutionView>> {
    const parsed = parseRequest(asked)
    if (!parsed.ok) return parsed
    const { sessionId, origin, why, tainted = false, params } = asked
    const twin = executions.openTwin(
      sessionId,
      parsed.value.action.name,
      parsed.value.target,
      canonicalJson(params)
    )
    if (twin) return ok(executionView(twin))
    const card = await prepare(context, worldOf(context), parsed.value)
    if (!card.ok) return card
    const admitted = store.transact((tx) =>
      admit(context, windows, tx, {
        card: card.value,
        origin,
        sessionId,
        tainted,
        why,
        requested: params,
        planStep
      })
    )
    if (!admitted.ok) return admitted
    if (admitted.value.state === 'approved') runner.run(admitted.value.id)
    return ok(executionView(admitted.value))
  }

  return {
    actions: () => actionViews,

    request(asked) {
      if (!asked.plan) return request(asked, null)
      return this.requestPlanStep({
        sessionId: asked.sessionId ?? '',
        planId: asked.plan.id,
        step: asked.plan.step,
        tainted: asked.tainted ?? false
      })
    },

    async requestPlanStep({ sessionId, planId, step, tainted }) {
      const taken = takePlanStep(context, sessionId, planId, step)
      if (!taken.ok) return taken
      const { row, use } = taken.value
      const { action, target, why } = row
      const picked = paramsOf(row.params)
      if (!picked.ok) return picked
      const wished = paramsOf(row.requested)
      if (!wished.ok) return wished
      const withParams = (params: Record<string, unknown>) =>
        request({ action, target, params, why, origin: 'agent', sessionId, tainted }, use)
      const asApproved = await withParams(picked.value)
      const isTaken = !asApproved.ok && asApproved.error.code === 'vmid_taken'
      // What the plan had picked belongs to somebody else now: pick anew, and ask where that has to be asked.
      return isTaken && !namesVmid(wished.value) ? withParams(wished.value) : asApproved
    },

    proposePlan: (proposal) => planning.propose(proposal),
    decide: (decision) => deciding.decide(decision),
    assent: (sessionId, typed) => deciding.assent(sessionId, typed),

    async cancel(id) {
      const row = executions.row(id)
      if (!row || isTerminal(row.state)) return view(id)
      const waits = row.state === 'awaiting_approval' || row.state === 'approved'
      store.transact((tx) => {
        update(context, tx, id, { cancelRequestedAt: clock.now() })
        audit.append('execution.cancel_requested', id, null, { title: titleOf(row), state: row.state })
        if (row.state === 'awaiting_approval') deciding.withdraw(tx, id)
        if (waits) move(context, tx, id, 'cancelled')
        crashPoint('before-cancel-commit')
      })
      crashPoint('after-cancel-commit')
      const ended = await runner.cancel(id)
      // The host that cannot be asked now is asked when it is back: the wish is written.
      if (!ended.ok && ended.error.code === 'cancel_failed') return ended
      if (ended.ok) await this.settled(id, settleMs)
      return view(id)
    },

    async rerun(id, origin) {
      const row = executions.row(id)
      if (!row) return fail('execution_not_found', 'There is no such execution.')
      const params = paramsOf(row.params)
      if (!params.ok) return params
      const { action, target, why } = row
      const sessionId = origin === 'agent' ? row.session_id : null
      return request({ action, target, params: params.value, why, origin, sessionId }, null)
    },

    get: view,
    list: (filter) => executions.list(filter),
    open: () => executions.inStates(['awaiting_approval', 'approved', ...jobStates]).map(executionView),
    plan(id) {
      const plan = plans.view(id)
      return plan
        ? ok(plan)
        : fail(
            'plan_not_found',
            'There is no such plan.',
            'Take the plan_id that propose_plan returned in this conversation, or propose a plan.'
          )
    },
    plansOf: (sessionId) => plans.ofSession(sessionId),
    waitingPlans: () => plans.waiting(),
    approval(id) {
      const row = approvals.row(id)
      return row ? ok(approvalView(row)) : fail('approval_not_found', 'There is no such approval.')
    },
    approvalsOf: (sessionId) => approvals.ofSession(sessionId).map(approvalView),
    waitingApprovals: () => approvals.waiting().map(approvalView),

    async output(id, offset, limit): Promise<Result<OutputSlice>> {
      if (!executions.row(id)) return fail('execution_not_found', 'There is no such execution.')
      return ok(await outputs.slice(id, offset, Math.min(Math.max(limit, 1), mostSliceBytes)))
    },
    outputForModel: (id) => (executions.row(id) ? outputs.forModel(id) : Promise.resolve('')),

    settled(id, timeoutMs) {
      return new Promise((resolve, reject) => {
        const finish = () => {
          clearTimeout(timer)
          stop()
          stopping.signal.removeEventListener('abort', finish)
          const found = view(id)
          if (found.ok) resolve(found.value)
          else reject(new Error(found.error.message))
        }
        const stop = store.bus.subscribe(({ event }) => {
          if (
            event.type === 'execution.changed' &&
            event.execution.id === id &&
            isTerminal(event.execution.state)
          )
            finish()
        })
        const timer = setTimeout(finish, timeoutMs)
        stopping.signal.addEventListener('abort', finish, { once: true })
        const now = view(id)
        if (!now.ok || isTerminal(now.value.state) || stopping.signal.aborted) finish()
      })
    },

    markDelivered: (executionId, messageId) => store.transact(() => markTold(store, executionId, messageId)),

    window: (sessionId) => windows.open(sessionId),
    windows: () => windows.all(),
    allowances: () => context.allowances.all(),
    endAllowance: (id) => store.transact((tx) => context.allowances.end(tx, id, 'Ended by the operator.')),
    endWindow: (id, why): Result<AssentWindowView> => store.transact((tx) => windows.end(tx, id, why)),

    audit: {
      list: (filter) => audit.list(filter),
      verify: () => audit.verify(),
      export: (format) => audit.export(format)
    },

    recover() {
      expireAll()
      deadlines.arm()
      // Those with a job take their locks before anything that has not started.
      for (const row of executions.inStates(jobStates)) runner.run(row.id)
      for (const row of executions.inStates(['approved'])) runner.run(row.id)
      void sweep(context, client, stopping.signal)
      return Promise.resolve()
    },

    wake() {
      expireAll()
      deadlines.arm()
      runner.wake()
    },

    async close() {
      stopping.abort()
      deadlines.stop()
      for (const stop of unsubscribe) stop()
      await runner.close()
    }
  }
}

/** Longest slice of output that is handed out at once. */
const mostSliceBytes = 1024 * 1024

/** How long a cancel waits for the execution's end after its processes are gone. */
const settleMs = 15_000

const actionViews: readonly ActionView[] = actions.map(
  ({ name, title, description, baseRisk, targets, params }) => ({
    name,
    title,
    description,
    risk: baseRisk,
    targets,
    params: z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' })
  })
)
