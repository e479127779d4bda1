import type {
  ExecutionState,
  GuestView,
  HostConnection,
  RiskClass,
  SessionState,
  ToolCallState
} from '@contract'

/** What a state feels like: colours and glyphs hang on it. */
export type Tone = 'running' | 'done' | 'failed' | 'needs' | 'unsure' | 'quiet'

interface StateLook {
  readonly tone: Tone
  readonly ended: boolean
}

const executionLooks: Readonly<Record<ExecutionState, StateLook>> = {
  awaiting_approval: { tone: 'needs', ended: false },
  approved: { tone: 'running', ended: false },
  starting: { tone: 'running', ended: false },
  running: { tone: 'running', ended: false },
  unknown: { tone: 'unsure', ended: false },
  succeeded: { tone: 'done', ended: true },
  failed: { tone: 'failed', ended: true },
  timed_out: { tone: 'failed', ended: true },
  cancelled: { tone: 'quiet', ended: true },
  interrupted: { tone: 'unsure', ended: true },
  lost: { tone: 'unsure', ended: true },
  denied: { tone: 'quiet', ended: true },
  expired: { tone: 'quiet', ended: true }
}

export const executionTone = (state: ExecutionState): Tone => executionLooks[state].tone
export const executionEnded = (state: ExecutionState): boolean => executionLooks[state].ended

const callTones: Readonly<Record<ToolCallState, Tone>> = {
  pending: 'quiet',
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'unsure'
}
export const callTone = (state: ToolCallState): Tone => callTones[state]

const sessionTones: Readonly<Record<SessionState, Tone>> = {
  idle: 'quiet',
  running: 'running',
  waiting: 'needs',
  failed: 'failed'
}
export const sessionTone = (state: SessionState): Tone => sessionTones[state]

const hostTones: Readonly<Record<HostConnection, Tone>> = {
  unknown: 'unsure',
  connecting: 'running',
  reachable: 'done',
  unreachable: 'failed',
  blocked: 'needs'
}
export const hostTone = (connection: HostConnection): Tone => hostTones[connection]

const guestTones: Readonly<Record<GuestView['status'], Tone>> = {
  running: 'done',
  stopped: 'quiet',
  unknown: 'unsure'
}
export const guestTone = (status: GuestView['status']): Tone => guestTones[status]

const riskTones: Readonly<Record<RiskClass, Tone>> = {
  read_only: 'done',
  service_action: 'running',
  config_mutation: 'needs',
  destructive: 'failed'
}
export const riskTone = (risk: RiskClass): Tone => riskTones[risk]
