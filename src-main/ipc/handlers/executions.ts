import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** Executions, the operator's decisions on them, and the record of both. */
export function executionHandlers({
  executions
}: Services): Group<'approval' | 'assent' | 'allowance' | 'action' | 'execution' | 'audit'> {
  return {
    'approval.decide': async (decision) => executions.decide(decision),
    'allowance.end': async ({ id }) => executions.endAllowance(id),
    'assent.end': async ({ id }) => executions.endWindow(id, 'ended by the operator'),

    'action.list': async () => ok([...executions.actions()]),
    'execution.request': (request) => executions.request({ ...request, origin: 'operator', sessionId: null }),
    'execution.list': async (filter) => {
      const { executions: found, total } = executions.list(filter)
      return ok({ executions: [...found], total })
    },
    'execution.get': async ({ id }) => executions.get(id),
    'execution.output': ({ id, offset, limit }) => executions.output(id, offset, limit),
    'execution.cancel': ({ id }) => executions.cancel(id),
    'execution.rerun': ({ id }) => executions.rerun(id, 'operator'),

    'audit.list': async ({ beforeSeq, ...filter }) =>
      ok([...executions.audit.list({ ...filter, before: beforeSeq })]),
    'audit.verify': async () => ok(executions.audit.verify()),
    'audit.export': async ({ format }) => ok({ content: executions.audit.export(format) })
  }
}
