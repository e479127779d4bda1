import type { ExecutionState } from '../../src-preload/contract'

/** The one table of what may follow what. Nothing follows a terminal state. */
export const follows: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  awaiting_approval: ['approved', 'denied', 'expired', 'cancelled'],
  approved: ['starting', 'failed', 'cancelled'],
  starting: ['running', 'unknown', 'failed', 'cancelled'],
  running: ['unknown', 'succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'lost'],
  // Back to `starting` only when the host, asked again, says that the job was never started.
  unknown: ['starting', 'running', 'failed', 'cancelled', 'lost'],
  succeeded: [],
  failed: [],
  timed_out: [],
  cancelled: [],
  interrupted: [],
  lost: [],
  denied: [],
  expired: []
}

export const mayFollow = (from: ExecutionState, to: ExecutionState): boolean => follows[from].includes(to)

/** States in which something can still happen. */
export const openStates = [
  'awaiting_approval',
  'approved',
  'starting',
  'running',
  'unknown'
] as const satisfies readonly ExecutionState[]

/** States in which a job may be on the host. */
export const jobStates = ['starting', 'running', 'unknown'] as const satisfies readonly ExecutionState[]
