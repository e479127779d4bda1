import type {
  ExecutionState,
  GuestView,
  HostConnection,
  Origin,
  RiskClass,
  SessionState,
  ToolCallState
} from '@contract'

export const common = {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  remove: 'Remove',
  save: 'Save',
  edit: 'Edit',
  refresh: 'Refresh',
  showAll: 'Show all',
  loading: 'Loading',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  noAnswer: 'The app gave no answer to this request. Nothing was changed by it.'
}

const executionState: Record<ExecutionState, string> = {
  awaiting_approval: 'needs approval',
  approved: 'approved',
  starting: 'starting',
  running: 'running',
  unknown: 'not known',
  succeeded: 'done',
  failed: 'failed',
  timed_out: 'timed out',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  lost: 'lost',
  denied: 'denied',
  expired: 'expired'
}

const sessionState: Record<SessionState, string> = {
  idle: 'idle',
  running: 'working',
  waiting: 'needs you',
  failed: 'failed'
}

const callState: Record<ToolCallState, string> = {
  pending: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted'
}

const connection: Record<HostConnection, string> = {
  unknown: 'not asked yet',
  connecting: 'connecting',
  reachable: 'reachable',
  unreachable: 'unreachable',
  blocked: 'key not trusted'
}

const guestState: Record<GuestView['status'], string> = {
  running: 'running',
  stopped: 'stopped',
  unknown: 'not known'
}

export const state = {
  execution: executionState,
  session: sessionState,
  call: callState,
  connection,
  guest: guestState
}

export const risk: Record<RiskClass, string> = {
  read_only: 'reads only',
  service_action: 'acts on a service',
  config_mutation: 'changes configuration',
  destructive: 'cannot be undone'
}

export const origin: Record<Origin, string> = {
  agent: 'agent',
  operator: 'you',
  signal: 'signal',
  mcp: 'MCP client'
}

/** Keys as they are written on keyboards. */
export const keys = { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift', Enter: 'Enter' }

export const day = { today: 'Today', yesterday: 'Yesterday' }

/** How numbers and days are written. */
export const numbers = {
  point: '.',
  locale: 'en-GB',
  date: (year: string, month: string, day: string) => `${year}-${month}-${day}`
}
