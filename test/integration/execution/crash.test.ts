import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../src-main/base/ids'
import { isTerminal } from '../../../src-preload/contract'
import { bundleProgram } from '../../support/bundle'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'
import { openWorld, type World } from './world'

let program = ''
beforeAll(async () => {
  program = await bundleProgram('test/support/execution-child.ts', 'crash-executions')
})

interface Scene {
  readonly host: PveHost
  readonly home: string
  readonly session: string
}

async function scene(): Promise<Scene> {
  const host = await startPveHost()
  onTestFinished(() => host.stop())
  host.addContainer(200, 'caddy', 'stopped')
  host.addContainer(201, 'db', 'stopped')
  return { host, home: tempFolder(), session: newId() }
}

/** Runs the flow in a process of its own until it is killed at the crash point. */
async function dieAt(point: string, flow: string, { host, home, session }: Scene): Promise<void> {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      NOMOS_CRASH_AT: point,
      SCENE: JSON.stringify({ home, session, flow, host: host.sshd.hostConfig('strong') })
    },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect({ signal, code, said: signal === 'SIGKILL' ? '' : said }).toMatchObject({ signal: 'SIGKILL' })
}

/** Opens the app on what the dead one left, and lets everything that was approved come to its end. */
async function startAgain(left: Scene): Promise<World> {
  const world = await openWorld(left)
  for (const { id, state } of world.executions.open())
    if (state !== 'awaiting_approval') await world.executions.settled(id, 30_000)
  return world
}

/** What holds after every fault; see the head of the cases. */
function invariants(world: World): void {
  const { store, executions, host } = world
  expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(store.db.pragma('foreign_key_check')).toEqual([])
  expect(executions.audit.verify().ok).toBe(true)
  const all = executions.list({ limit: 100 }).executions
  for (const execution of all) {
    if (execution.startedAt !== null && execution.risk !== 'read_only')
      expect(executions.approval(execution.approvalId ?? '')).toMatchObject({
        ok: true,
        value: { state: 'approved' }
      })
    if (isTerminal(execution.state)) expect(world.note(execution.id)).not.toBeNull()
  }
  expect([...host.starts()].filter(([, count]) => count > 1)).toEqual([])
  expect([...host.starts().keys()].filter((id) => !all.some((execution) => execution.id === id))).toEqual([])
  const starts = store.db
    .prepare(
      "SELECT subject, count(*) AS n FROM audit WHERE kind = 'execution.running' GROUP BY subject HAVING n > 1"
    )
    .all()
  expect(starts).toEqual([])
}

describe('killed with SIGKILL', () => {
  it('F1: before the approval is committed, it waits still and nothing has run', async () => {
    const left = await scene()
    await dieAt('before-approval-commit', 'approve', left)
    const world = await startAgain(left)
    const [execution] = world.executions.open()
    expect(execution?.state).toBe('awaiting_approval')
    expect(left.host.calls(/^pct create/)).toEqual([])
    invariants(world)
    if (!execution) return
    world.approve(execution)
    expect(await world.executions.settled(execution.id, 30_000)).toMatchObject({ state: 'succeeded' })
  })

  const points = [
    'after-approval-commit',
    'before-starting-commit',
    'after-starting-commit',
    'after-job-start',
    'after-running-commit',
    'before-terminal-commit',
    'after-terminal-commit'
  ]
  for (const point of points)
    it(`F2, F3, F5: ${point} of a single approval, it runs once and its result is told once`, async () => {
      const left = await scene()
      await dieAt(point, 'approve', left)
      const world = await startAgain(left)
      const [execution] = world.executions.list({}).executions
      expect(execution).toMatchObject({ state: 'succeeded', verification: { ok: true } })
      expect(left.host.calls(/^pct create/)).toHaveLength(1)
      expect(left.host.jobs()).toHaveLength(1)
      invariants(world)
    })

  // Every point of the path of each flow: before and after each commit, around the start of the job, around its result.
  const every = [
    'before-approval-commit',
    'after-approval-commit',
    'before-starting-commit',
    'after-starting-commit',
    'after-job-start',
    'after-running-commit',
    'before-terminal-commit',
    'after-terminal-commit'
  ]
  const again = every.map((point) => `${point}#2`)
  const flows: readonly {
    readonly flow: string
    readonly points: readonly string[]
    readonly prepare?: (left: Scene) => void
    readonly holds: (world: World, left: Scene, point: string) => void | Promise<void>
  }[] = [
    {
      flow: 'plan',
      points: every,
      holds(world, left, point) {
        const [plan] = world.executions.plansOf(left.session)
        const wasDecided = !point.startsWith('before-approval')
        expect(plan?.state).toBe(wasDecided ? 'approved' : 'awaiting_approval')
        expect(world.executions.window(left.session) !== null).toBe(wasDecided)
        // The step is requested after the decision: killed before that, nothing of it is there.
        expect(left.host.calls(/^pct create/).length).toBe(/approval-commit$/.test(point) ? 0 : 1)
      }
    },
    {
      flow: 'cancel',
      points: [...every.slice(0, 6), 'before-cancel-commit', 'after-cancel-commit', ...every.slice(6)],
      prepare: ({ host }) => host.delay('pct-create', 4),
      holds(world, left, point) {
        // Killed before the wish was written, nothing was cancelled.
        const wasWished = /cancel|terminal/.test(point) && !point.startsWith('before-cancel')
        const [execution] = world.executions.list({}).executions
        if (point === 'before-approval-commit') expect(execution?.state).toBe('awaiting_approval')
        else expect(execution?.state).toBe(wasWished ? 'cancelled' : 'succeeded')
        expect(left.host.calls(/^pct create/).length).toBeLessThanOrEqual(1)
      }
    },
    {
      flow: 'destroy',
      points: every,
      holds(world, left, point) {
        const wasDecided = !point.startsWith('before-approval')
        expect(world.executions.list({}).executions[0]?.state).toBe(
          wasDecided ? 'succeeded' : 'awaiting_approval'
        )
        expect(left.host.calls(/^pct destroy/)).toHaveLength(wasDecided ? 1 : 0)
        expect(left.host.status(200)).toBe(wasDecided ? null : 'stopped')
      }
    },
    {
      flow: 'retry',
      points: again,
      prepare: ({ host }) => host.failNext('pct-destroy', 'CT is locked (backup)'),
      holds(world, left, point) {
        const wasDecided = !point.startsWith('before-approval')
        const states = world.executions.list({}).executions.map(({ state }) => state)
        expect(states).toEqual([wasDecided ? 'succeeded' : 'awaiting_approval', 'failed'])
        expect(left.host.calls(/^pct destroy/)).toHaveLength(wasDecided ? 2 : 1)
      }
    },
    {
      flow: 'two',
      points: [...every, ...again],
      holds(world, left, point) {
        const states = world.executions.list({}).executions.map(({ state }) => state)
        // The second is asked for beside the first; each was decided on its own.
        const decided =
          { 'before-approval-commit': 0, 'after-approval-commit': 1, 'before-approval-commit#2': 1 }[point] ??
          2
        expect(states.filter((state) => state === 'succeeded')).toHaveLength(decided)
        expect(left.host.calls(/^pct start/)).toHaveLength(decided)
      }
    }
  ]
  for (const { flow, points, prepare, holds } of flows)
    it.each(points)(`F1, F2, F3, F5, F51: ${flow}, killed %s`, async (point) => {
      const left = await scene()
      prepare?.(left)
      await dieAt(point, flow, left)
      const world = await startAgain(left)
      await holds(world, left, point)
      invariants(world)
    })

  it.each(['before-terminal-commit', 'after-terminal-commit', 'after-running-commit'])(
    'while output streams, killed %s, the file is whole in the end',
    async (point) => {
      const left = await scene()
      left.host.delay('pct-create', 2)
      await dieAt(point, 'approve', left)
      const world = await startAgain(left)
      const [execution] = world.executions.list({}).executions
      expect(execution?.state).toBe('succeeded')
      const output = await world.executions.output(execution?.id ?? '', 0, 1_000_000)
      expect(output.ok && output.value.text.match(/tenths left/g)).toHaveLength(20)
      invariants(world)
    }
  )

  it('while output streams, the file is whole in the end', async () => {
    const left = await scene()
    left.host.delay('pct-create', 3)
    await dieAt('', 'follow', left)
    const world = await startAgain(left)
    const [execution] = world.executions.list({}).executions
    expect(execution?.state).toBe('succeeded')
    const output = await world.executions.output(execution?.id ?? '', 0, 1_000_000)
    expect(output.ok && output.value.text.match(/tenths left/g)).toHaveLength(30)
    invariants(world)
  })
})
