import { expect } from 'vitest'
import { killAtEveryPoint, noModel, type CrashFlow, type Scene } from './crash-scene'
import type { World } from './world'

const one = [1]
const both = [1, 2]
const path: Omit<CrashFlow['points'], 'before-successor-start'> = {
  'before-approval-commit': one,
  'after-approval-commit': one,
  'before-starting-commit': one,
  'after-starting-commit': one,
  'after-job-start': one,
  'after-running-commit': one,
  'after-output-write': one,
  'before-progress-commit': one,
  'after-progress-commit': one,
  'before-cancel-commit': 'nothing is cancelled',
  'after-cancel-commit': 'nothing is cancelled',
  'before-successor-request': one,
  'before-terminal-commit': one,
  'after-terminal-commit': one,
  ...noModel
}

/** Whatever was killed, the one that failed has brought one successor, which was never asked for twice. */
function onceAgain(world: World, killed: string, successor: 'succeeded' | 'awaiting_approval'): void {
  const all = world.executions.list({}).executions
  if (killed === 'before-approval-commit') {
    expect(all.map(({ state }) => state)).toEqual(['awaiting_approval'])
    return
  }
  const [second, first] = all
  expect(all).toHaveLength(2)
  expect(first).toMatchObject({ state: 'failed', vmid: 100, retryOf: null, error: { code: 'vmid_taken' } })
  expect(second).toMatchObject({ state: successor, vmid: 101, retryOf: first?.id })
  expect(first?.error?.data).toMatchObject({ requestedAgain: second?.id })
}

const created = ({ host }: Scene, vmid: number) => host.calls(new RegExp(`^pct create ${vmid} `)).length

killAtEveryPoint('F2, F5', [
  {
    // Somebody makes a guest of that number between the card and the approval: preflight notices.
    flow: 'VMID taken before the start',
    points: {
      ...path,
      ...{ 'before-terminal-commit': both, 'after-terminal-commit': both, 'before-successor-start': one }
    },
    holds(world, left, killed) {
      onceAgain(world, killed, 'succeeded')
      expect([created(left, 100), created(left, 101)]).toEqual([
        0,
        killed === 'before-approval-commit' ? 0 : 1
      ])
    }
  },
  {
    // Proxmox notices, when the job is on its way.
    flow: 'VMID taken at its use',
    points: {
      ...path,
      ...{ 'before-starting-commit': both, 'after-starting-commit': both, 'after-job-start': both },
      ...{ 'after-running-commit': both, 'after-output-write': both, 'before-progress-commit': both },
      ...{ 'after-progress-commit': both, 'before-terminal-commit': both, 'after-terminal-commit': both },
      'before-successor-start': one
    },
    prepare: ({ host }) =>
      host.failNext('pct-create', "unable to create CT 100 - CT 100 already exists on node 'strong'"),
    holds(world, left, killed) {
      onceAgain(world, killed, 'succeeded')
      expect(created(left, 101)).toBe(killed === 'before-approval-commit' ? 0 : 1)
    }
  },
  {
    // A turn that had read a page asked for it: so does the successor, for a card of its own.
    flow: 'VMID taken, asked for by a turn that read a page',
    points: {
      ...path,
      ...{ 'before-successor-start': 'the successor waits for approval' },
      ...{ 'before-starting-commit': 'it never starts', 'after-starting-commit': 'it never starts' },
      ...{ 'after-job-start': 'it never starts', 'after-running-commit': 'it never starts' },
      ...{ 'after-output-write': 'it never starts', 'before-progress-commit': 'it never starts' },
      'after-progress-commit': 'it never starts'
    },
    async holds(world, left, killed) {
      onceAgain(world, killed, 'awaiting_approval')
      expect(left.host.jobs()).toEqual([])
      const [waiting] = world.executions.open()
      if (!waiting || waiting.retryOf === null) return
      world.approve(waiting)
      expect(await world.executions.settled(waiting.id, 30_000)).toMatchObject({ state: 'succeeded' })
    }
  }
])
