import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Config, MessageView, NomosEvent, Place } from '../../../src-preload/contract'
import { fail, ok } from '../../../src-main/base/result'
import { decisionCard } from '../../../src-main/desktop/decision-card'
import { NoticeBoard } from '../../../src-main/desktop/notice-board'
import type { Notice } from '../../../src-main/desktop/notices'
import { speechOf } from '../../../src-main/desktop/speech'
import { en as texts } from '../../../src-main/desktop/text/en'
import { visible } from '../../../src-main/desktop/visible'
import type { Executions } from '../../../src-main/execution/port'
import { approvalView, executionView, planView } from '../../support/views'

const en = speechOf(texts)

const executions = [
  executionView(),
  executionView({ id: 'execution-2', title: 'Start container caddy (104) on strong' }),
  executionView({
    id: 'hidden',
    commands: [{ step: 'run', argv: [], text: 'echo a\u202eb\u200bc\rrm -rf /' }]
  }),
  executionView({ id: 'long', commands: [{ step: 'run', argv: [], text: 'x'.repeat(5000) }] }),
  executionView({ id: 'destroy', risk: 'destructive', title: 'Destroy container old (103) on strong' })
]
/** What the notices look up; that it is the real one is shown where the whole app runs. */
const known = {
  get: (id: string) => {
    const found = executions.find((execution) => execution.id === id)
    return found ? ok(found) : fail('execution_not_found', 'gone')
  },
  plan: () => ok(planView())
} as unknown as Executions

const of = (id: string, risk = approvalView().risk) =>
  approvalView({ id: `approval-of-${id}`, subject: { kind: 'execution', id }, risk })

describe('a decision shown outside the window', () => {
  test('shows where it runs, the exact commands and what undoes it, and leads to its conversation', () => {
    expect(decisionCard(approvalView(), known, en)).toMatchObject({
      title: 'Create container typetype (105) on strong',
      where: 'lxc:typetype@strong on strong · typetype (105) · changes configuration',
      commands: ['pct create 105'],
      undo: 'pct destroy 105',
      approvable: true,
      hash: 'hash-of-execution-1',
      place: { page: 'chat', sessionId: 'session-1' }
    })
  })

  test('of a plan shows the commands of all its steps', () => {
    const approval = approvalView({ subject: { kind: 'plan', id: 'plan-1' } })
    expect(decisionCard(approval, known, en)).toMatchObject({
      title: 'Deploy TypeType (2 steps)',
      commands: ['strong: pct create 105', 'strong: systemctl reload caddy'],
      approvable: true
    })
  })

  test('cannot be approved there when it is destructive, or too long to be shown whole', () => {
    expect(decisionCard(of('destroy', 'destructive'), known, en)).toMatchObject({
      approvable: false,
      destructive: true
    })
    expect(decisionCard(of('long'), known, en)).toMatchObject({ approvable: false })
  })

  test('B10 B12 writes out what a command would hide', () => {
    expect(decisionCard(of('hidden'), known, en)?.commands).toEqual(['echo a\\u{202e}b\\u{200b}c\\rrm -rf /'])
    expect(visible('ls\n\u001b]52;c;eA\u0007')).toBe('ls\\n\\e]52;c;eA\\u{0007}')
    expect(visible('Ångström — 日本 🦊')).toBe('Ångström — 日本 🦊')
    expect(visible('tag\u{e0041}')).toBe('tag\\u{e0041}')
  })

  test('without an execution of its own is not shown', () => {
    expect(decisionCard(of('gone'), known, en)).toBeNull()
  })
})

const allOn = { approvals: true, executions: true, failures: true, needsYou: true, signals: true }

describe('notifications', () => {
  let shown: Notice[]
  let withdrawn: string[]
  let seen: (place: Place) => boolean
  let switches: Config['notifications']
  let board: NoticeBoard
  const tell = (...events: NomosEvent[]) => events.forEach((event) => board.onEvent(event))
  const approvalEvent = (approval = approvalView()): NomosEvent => ({ type: 'approval.changed', approval })
  const ended = (different: Parameters<typeof executionView>[0]): NomosEvent => ({
    type: 'execution.changed',
    execution: executionView({ state: 'succeeded', startedAt: 1, endedAt: 2, ...different })
  })

  beforeEach(() => {
    vi.useFakeTimers()
    shown = []
    withdrawn = []
    seen = () => false
    switches = allOn
    board = new NoticeBoard({
      executions: known,
      switches: () => switches,
      texts: () => en,
      isSeen: (place) => seen(place),
      show: (notice) => shown.push(notice),
      withdraw: (key) => withdrawn.push(key)
    })
  })
  afterEach(() => vi.useRealTimers())

  test('one decision is told with its commands and can be approved from it', () => {
    tell(approvalEvent())
    vi.runAllTimers()
    expect(shown).toMatchObject([
      {
        title: 'Approve? Create container typetype (105) on strong',
        body: expect.stringContaining('pct create 105') as string,
        card: { approvable: true, hash: 'hash-of-execution-1' }
      }
    ])
  })

  test('a destructive decision is told without the command to approve it', () => {
    tell(approvalEvent(of('destroy', 'destructive')))
    vi.runAllTimers()
    expect(shown[0]).toMatchObject({ card: { approvable: false } })
  })

  test('several that come together are one, without buttons', () => {
    tell(approvalEvent(), approvalEvent(of('execution-2')))
    vi.runAllTimers()
    expect(shown).toMatchObject([{ title: '2 decisions wait for you', card: null }])
    expect(shown[0]?.body).toContain('Create container')
    expect(shown[0]?.body).toContain('Start container')
  })

  test('decisions and results together lead to the decision', () => {
    tell(ended({ id: 'other', sessionId: 'session-2' }), approvalEvent())
    vi.runAllTimers()
    expect(shown).toMatchObject([
      { title: '2 things happened, 1 needs a decision', place: { page: 'chat', sessionId: 'session-1' } }
    ])
  })

  test('nothing is told while the window is in front', () => {
    seen = () => true
    tell(approvalEvent(), ended({ id: 'x' }))
    vi.runAllTimers()
    expect(shown).toEqual([])
  })

  test('what is decided before it was told is not told; what was told is taken back', () => {
    tell(approvalEvent(), approvalEvent(approvalView({ state: 'approved' })))
    vi.runAllTimers()
    expect(shown).toEqual([])
    expect(withdrawn).toEqual(['approval:approval-1'])
  })

  test('each kind has its switch', () => {
    switches = { ...allOn, approvals: false }
    tell(approvalEvent(), ended({ id: 'x' }))
    vi.runAllTimers()
    expect(shown).toMatchObject([{ kind: 'executions' }])
    switches = { ...allOn, executions: false }
    tell(ended({ id: 'y' }))
    vi.runAllTimers()
    expect(shown).toHaveLength(1)
    switches = { ...allOn, failures: false }
    tell(ended({ id: 'z', state: 'failed' }), ended({ id: 'w', state: 'lost' }), ended({ id: 'v' }))
    vi.runAllTimers()
    expect(shown.slice(1)).toMatchObject([{ kind: 'executions', title: /^Done: / }])
  })

  test('what the window shows is left out of what is told, the rest is not', () => {
    seen = (place) => place.page === 'chat' && place.sessionId === 'session-1'
    tell(approvalEvent(), ended({ id: 'other', sessionId: 'session-2' }))
    vi.runAllTimers()
    expect(shown).toMatchObject([{ kind: 'executions', place: { sessionId: 'session-2' } }])
  })

  test('the same thing is told once', () => {
    tell(ended({ id: 'x' }), ended({ id: 'x' }))
    vi.runAllTimers()
    tell(ended({ id: 'x' }))
    vi.runAllTimers()
    expect(shown).toHaveLength(1)
  })

  test('a failure says why; what only looked, was never started or was cancelled says nothing', () => {
    tell(ended({ id: 'x', state: 'failed', error: { code: 'lock_held', message: 'apt is locked' } }))
    vi.runAllTimers()
    expect(shown).toMatchObject([{ title: /^Failed: /, body: 'apt is locked' }])
    tell(
      ended({ id: 'a', risk: 'read_only' }),
      ended({ id: 'b', state: 'denied', startedAt: null }),
      ended({ id: 'c', state: 'cancelled' }),
      ended({ id: 'd', state: 'running' })
    )
    vi.runAllTimers()
    expect(shown).toHaveLength(1)
  })

  test('when the agent stops and offers a way on, it says that it needs the operator', () => {
    const message: MessageView = {
      id: 'message-1',
      sessionId: 'session-1',
      seq: 1,
      role: 'assistant',
      kind: 'notice',
      state: 'done',
      createdAt: 1,
      finishedAt: 1,
      parts: [
        {
          type: 'notice',
          error: { code: 'window_closed', message: 'The window is closed.' },
          offers: ['continue']
        }
      ]
    }
    tell({ type: 'message.changed', message })
    vi.runAllTimers()
    expect(shown).toMatchObject([
      {
        title: 'The agent needs you',
        body: 'The window is closed.',
        place: { page: 'chat', messageId: 'message-1' }
      }
    ])
  })
})
