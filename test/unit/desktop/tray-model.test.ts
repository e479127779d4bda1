import { expect, test } from 'vitest'
import type { ApprovalView, ExecutionView, SessionView } from '../../../src-preload/contract'
import { ok } from '../../../src-main/base/result'
import { speechOf } from '../../../src-main/desktop/speech'
import { en as texts } from '../../../src-main/desktop/text/en'
import { elapsed, trayModel } from '../../../src-main/desktop/tray-model'
import type { Services } from '../../../src-main/ipc/services'
import { approvalView, executionView } from '../../support/views'

const en = speechOf(texts)

function modelOf(approvals: ApprovalView[], open: ExecutionView[], sessions: Partial<SessionView>[] = []) {
  const sources = {
    executions: { waitingApprovals: () => approvals, open: () => open, get: () => ok(executionView()) },
    agent: { listSessions: () => sessions }
  } as unknown as Pick<Services, 'executions' | 'agent'>
  return trayModel(sources, en, false, 300_000)
}

test('the tray is idle, at work, or needs the operator, in this order of urgency', () => {
  const running = executionView({ state: 'running', startedAt: 100_000 })
  expect(modelOf([], [])).toMatchObject({ state: 'idle', tooltip: 'Nomos' })
  expect(modelOf([], [], [{ state: 'running' }])).toMatchObject({ state: 'working' })
  expect(modelOf([], [running])).toMatchObject({ state: 'working', tooltip: 'Nomos: 1 running' })
  expect(modelOf([approvalView()], [running])).toMatchObject({
    state: 'needs-you',
    tooltip: 'Nomos: 1 waiting for you, 1 running'
  })
})

test('a running execution is listed with its elapsed time and leads to its row', () => {
  expect(modelOf([], [executionView({ state: 'running', startedAt: 100_000 })]).running).toEqual([
    {
      label: 'Create container typetype (105) on strong · 3 min',
      place: { page: 'ops', executionId: 'execution-1' }
    }
  ])
})

test('what waits for approval does not count as running', () => {
  expect(modelOf([approvalView()], [executionView()])).toMatchObject({ state: 'needs-you', running: [] })
})

test.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_000, '59 min'],
  [7_500_000, '2 h 05 min']
])('%d ms are written as %s', (milliseconds, text) => {
  expect(elapsed(en, milliseconds)).toBe(text)
})
