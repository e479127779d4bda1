import { expect, it } from 'vitest'
import { follows, mayFollow } from '../../../src-main/execution/states'
import { executionStates, isTerminal } from '../../../src-preload/contract'

const allowed: Readonly<Record<string, readonly string[]>> = {
  awaiting_approval: ['approved', 'denied', 'expired', 'cancelled'],
  approved: ['starting', 'failed', 'cancelled'],
  starting: ['running', 'unknown', 'failed', 'cancelled'],
  running: ['unknown', 'succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'lost'],
  unknown: ['starting', 'running', 'failed', 'cancelled', 'lost']
}

it.each(executionStates.flatMap((from) => executionStates.map((to) => [from, to] as const)))(
  '%s → %s is allowed only if the design says so',
  (from, to) => {
    expect(mayFollow(from, to)).toBe(allowed[from]?.includes(to) ?? false)
  }
)

it('nothing follows a terminal state, and every other state has an end', () => {
  const ends = (state: (typeof executionStates)[number], seen: ReadonlySet<string> = new Set()): boolean =>
    isTerminal(state) ||
    follows[state].some((next) => !seen.has(next) && ends(next, new Set([...seen, state])))
  for (const state of executionStates) {
    if (isTerminal(state)) expect(follows[state]).toEqual([])
    expect(ends(state)).toBe(true)
  }
})
