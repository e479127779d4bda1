import { expect } from 'vitest'
import { good, type World } from './world'
import { killAtEveryPoint, noModel, type CrashFlow } from './crash-scene'

const first = [1]
const notCancelled = {
  'before-cancel-commit': 'nothing is cancelled',
  'after-cancel-commit': 'nothing is cancelled'
} as const
const nothingTaken = {
  'before-successor-request': 'no VMID is taken',
  'before-successor-start': 'no VMID is taken'
} as const

/** The path of one execution, passed `times`. */
const path = (...times: number[]) => ({
  ...{ 'before-approval-commit': times, 'after-approval-commit': times },
  ...{ 'before-starting-commit': times, 'after-starting-commit': times },
  ...{ 'after-job-start': times, 'after-running-commit': times, 'after-output-write': times },
  ...{ 'before-progress-commit': times, 'after-progress-commit': times },
  ...{ 'before-terminal-commit': times, 'after-terminal-commit': times }
})
const plain = (...times: number[]): CrashFlow['points'] => ({
  ...path(...times),
  ...notCancelled,
  ...nothingTaken,
  ...noModel
})

const states = (world: World) => world.executions.list({}).executions.map(({ state }) => state)
const wasDecided = (killed: string) => killed !== 'before-approval-commit'

/** What `pct create` printed, which takes as many tenths of a second. */
async function printedTenths(world: World): Promise<number> {
  const [execution] = world.executions.list({}).executions
  const output = good(await world.executions.output(execution?.id ?? '', 0, 1_000_000))
  return output.text.match(/tenths left/g)?.length ?? 0
}

killAtEveryPoint('F1, F2, F3, F5, F51', [
  {
    flow: 'single approval',
    points: plain(1),
    async holds(world, { host }, killed) {
      const [execution] = world.executions.list({}).executions
      if (!wasDecided(killed)) {
        expect(execution?.state).toBe('awaiting_approval')
        expect(host.jobs()).toEqual([])
        if (execution) world.approve(execution)
        await world.executions.settled(execution?.id ?? '', 30_000)
      }
      expect(good(world.executions.get(execution?.id ?? ''))).toMatchObject({
        state: 'succeeded',
        verification: { ok: true }
      })
      expect(host.calls(/^pct create/)).toHaveLength(1)
      expect(host.jobs()).toHaveLength(1)
    }
  },
  {
    flow: 'plan with typed assent',
    points: plain(1),
    holds(world, left, killed) {
      const [plan] = world.executions.plansOf(left.session)
      expect(plan?.state).toBe(wasDecided(killed) ? 'approved' : 'awaiting_approval')
      expect(world.executions.window(left.session) !== null).toBe(wasDecided(killed))
      // The step is requested after the decision: killed before that, nothing of it is there.
      expect(left.host.calls(/^pct create/).length).toBe(/approval-commit$/.test(killed) ? 0 : 1)
    }
  },
  {
    flow: 'cancel',
    points: {
      ...path(1),
      'before-cancel-commit': first,
      'after-cancel-commit': first,
      ...nothingTaken,
      ...noModel
    },
    prepare: ({ host }) => host.delay('pct-create', 4),
    holds(world, left, killed) {
      // Killed before the wish was written, nothing was cancelled.
      const wasWished = /after-cancel|terminal/.test(killed)
      if (!wasDecided(killed)) expect(states(world)).toEqual(['awaiting_approval'])
      else if (/progress/.test(killed)) expect(states(world)[0]).toMatch(/^(succeeded|cancelled)$/)
      else expect(states(world)).toEqual([wasWished ? 'cancelled' : 'succeeded'])
      expect(left.host.calls(/^pct create/).length).toBeLessThanOrEqual(1)
    }
  },
  {
    flow: 'destructive',
    points: plain(1),
    holds(world, { host }, killed) {
      expect(states(world)).toEqual([wasDecided(killed) ? 'succeeded' : 'awaiting_approval'])
      expect(host.calls(/^pct destroy/)).toHaveLength(wasDecided(killed) ? 1 : 0)
      expect(host.status(200)).toBe(wasDecided(killed) ? null : 'stopped')
    }
  },
  {
    flow: 'destructive with retry',
    points: plain(1, 2),
    prepare: ({ host }) => host.failNext('pct-destroy', 'CT is locked (backup)'),
    holds(world, { host }, killed) {
      const isSecond = killed.endsWith('#2')
      const decided = wasDecided(killed.replace('#2', ''))
      const now = isSecond
        ? [decided ? 'succeeded' : 'awaiting_approval', 'failed']
        : [decided ? 'failed' : 'awaiting_approval']
      expect(states(world)).toEqual(now)
      expect(host.calls(/^pct destroy/)).toHaveLength((isSecond ? 1 : 0) + (decided ? 1 : 0))
    }
  },
  {
    flow: 'two finishing together',
    points: plain(1, 2),
    holds(world, { host }, killed) {
      // The second is asked for beside the first; each was decided on its own.
      const decided =
        { 'before-approval-commit': 0, 'after-approval-commit': 1, 'before-approval-commit#2': 1 }[killed] ??
        2
      expect(states(world).filter((state) => state === 'succeeded')).toHaveLength(decided)
      expect(host.calls(/^pct start/)).toHaveLength(decided)
    }
  },
  {
    flow: 'output streaming',
    // The output comes in twenty pieces; the fifth and the tenth stand for its middle.
    points: { ...plain(1), 'after-output-write': [1, 5, 10] },
    prepare: ({ host }) => host.delay('pct-create', 2),
    async holds(world, _left, killed) {
      expect(states(world)).toEqual([wasDecided(killed) ? 'succeeded' : 'awaiting_approval'])
      expect(await printedTenths(world)).toBe(wasDecided(killed) ? 20 : 0)
    }
  }
])
