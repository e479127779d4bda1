/** Wall-clock time, UTC milliseconds. Injected, so that deadlines can be tested. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds between two times, whichever is the later: a clock that was set right must not make waits endless. */
export const between = (a: number, b: number): number => Math.abs(a - b)
