import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import {
  isTerminal,
  type ActionView,
  type AssentWindowView,
  type ExecutionView,
  type OutputSlice
} from '../../src-preload/contract'
import { crashPoint } from '../base/crash-points'
import { fail, ok, type Result } from '../base/result'
import { actions } from './actions/registry'
import { ApprovalSubjects } from './approval-subject'
import { approvalView } from './approval-table'
import { Approvals } from './approvals'
import { createContext, type ExecutionDependencies } from './context'
import { JobClient } from './jobs/job-client'
import { Outputs } from './jobs/output'
import { Runner } from './jobs/runner'
import { sweep } from './jobs/sweep'
import { markTold } from './outbox'
import { Plans } from './plans'
import { Lapses } from './lapses'
import type { Executions } from './port'
import { Requests } from './requests'
import { settled } from './settled'
import { jobStates } from './states'
import { failureOf } from './successor'
import { executionView, titleOf } from './execution-row'
import { move, update } from './transitions'
import { Windows } from './windows'

/** Builds the executions; nothing runs before `recover`, or a request that is approved. */
export function createExecutions(deps: ExecutionDependencies): Executions {
  const context = createContext(deps)
  const { store, ssh, executions, approvals, plans, audit, clock } = context
  const outputs = new Outputs(deps.home, store)
  const client = new JobClient(ssh)
  const windows = new Windows(context)
  const runner = new Runner(context, client, outputs, (row, error) => failureOf(context, windows, row, error))
  const start = (id: string) => runner.run(id)
  const planning = new Plans(context)
  const subjects = new ApprovalSubjects(context, planning)
  const requests = new Requests(context, windows, start)
  const deciding = new Approvals(context, windows, subjects, start)
  const lapses = new Lapses(context, deciding, subjects, windows, (host) => runner.wake(host))
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const stopListening = ssh.onConnection((host, state) => {
    if (state === 'reachable') runner.wake(host)
  })

  const view = (id: string): Result<ExecutionView> => {
    const row = executions.row(id)
    return row ? ok(executionView(row)) : fail('execution_not_found', 'There is no such execution.')
  }

  return {
    actions: () => actionViews,

    request: (asked) => requests.request(asked),
    requestPlanStep: (taken) => requests.planStep(taken),
    rerun: (id, origin) => requests.again(id, origin),
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

    settled: (id, timeoutMs) => settled(store, id, timeoutMs, stopping.signal, view),
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
      lapses.start()
      // Those with a job take their locks before anything that has not started.
      for (const row of executions.inStates(jobStates)) runner.run(row.id)
      for (const row of executions.inStates(['approved'])) runner.run(row.id)
      void sweep(context, client, stopping.signal)
      return Promise.resolve()
    },

    wake() {
      lapses.wake()
      runner.wake()
    },

    async close() {
      stopping.abort()
      lapses.stop()
      stopListening()
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
