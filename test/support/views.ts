import type { ApprovalView, ExecutionView, PlanView, SessionUsage } from '../../src-preload/contract'

/** An execution that waits for approval; a test says what is different. */
export const executionView = (different: Partial<ExecutionView> = {}): ExecutionView => ({
  id: 'execution-1',
  sessionId: 'session-1',
  planId: null,
  planStep: null,
  origin: 'agent',
  action: 'pct_create',
  target: 'lxc:typetype@strong',
  host: 'strong',
  node: 'strong',
  found: {},
  vmid: 105,
  guestName: 'typetype',
  title: 'Create container typetype (105) on strong',
  params: {},
  risk: 'config_mutation',
  commands: [{ step: 'create', argv: ['pct', 'create', '105'], text: 'pct create 105' }],
  why: 'The operator wants it.',
  undo: 'pct destroy 105',
  hash: 'hash-of-execution-1',
  state: 'awaiting_approval',
  step: null,
  percent: null,
  requestedAt: 1000,
  startedAt: null,
  endedAt: null,
  exitCode: null,
  error: null,
  verification: null,
  waitsFor: null,
  retryOf: null,
  outputBytes: 0,
  approvalId: 'approval-1',
  ...different
})

/** The approval that the execution waits for. */
export const approvalView = (different: Partial<ApprovalView> = {}): ApprovalView => ({
  id: 'approval-1',
  subject: { kind: 'execution', id: 'execution-1' },
  sessionId: 'session-1',
  hash: 'hash-of-execution-1',
  risk: 'config_mutation',
  state: 'awaiting_approval',
  rule: 'changes of configuration ask',
  ruleSaid: [{ id: 'rule.default', facts: { risk: 'config_mutation' } }],
  requestedAt: 1000,
  expiresAt: 3_601_000,
  decidedAt: null,
  route: null,
  reason: null,
  confirmName: null,
  ...different
})

/** A plan of two steps that waits for approval. */
export const planView = (different: Partial<PlanView> = {}): PlanView => ({
  id: 'plan-1',
  sessionId: 'session-1',
  title: 'Deploy TypeType',
  summary: '',
  hash: 'hash-of-plan-1',
  state: 'awaiting_approval',
  approvalId: 'approval-2',
  createdAt: 1000,
  steps: [
    ['lxc:typetype@strong', 'pct create 105'],
    ['lxc:caddy', 'systemctl reload caddy']
  ].map(([target = '', text = ''], index) => ({
    index,
    action: 'run',
    target,
    host: 'strong',
    node: 'strong',
    found: {},
    vmid: null,
    guestName: null,
    title: text,
    risk: 'config_mutation',
    params: {},
    commands: [{ step: 'run', argv: text.split(' '), text }],
    why: '',
    undo: '',
    hash: `hash-${index}`,
    executionId: null,
    executionState: null
  })),
  ...different
})

/** What a session has used before its first answer. */
export const noUsage: SessionUsage = {
  ...{ inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: null },
  ...{ contextTokens: null, estimated: false }
}
