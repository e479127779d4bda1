/** How long what may take, in milliseconds. */
export interface Timing {
  readonly connectMs: number
  readonly listMs: number
  readonly callMs: number
  /** A changed list is read once things are quiet for so long. */
  readonly settleMs: number
  /** Before the first new attempt; doubled for each further one, up to `longestPauseMs`. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** Attempts in a row after which the operator has to say so. */
  readonly attempts: number
  /** A connection that held so long was a good one: attempts are counted anew. */
  readonly steadyMs: number
  /** What a program gets after each of end of input, SIGTERM and SIGKILL. */
  readonly graceMs: number
}

export const usualTiming: Timing = {
  connectMs: 30_000,
  listMs: 15_000,
  callMs: 120_000,
  settleMs: 200,
  firstPauseMs: 1000,
  longestPauseMs: 60_000,
  attempts: 8,
  steadyMs: 60_000,
  graceMs: 1500
}
