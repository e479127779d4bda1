/** Wall-clock time, UTC milliseconds. Injected, so that deadlines can be tested. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
