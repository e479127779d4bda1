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
    'after-starting-commit',
    'after-job-start',
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

  it('before-approval-commit of a plan with typed assent, the plan waits still', async () => {
    const left = await scene()
    await dieAt('before-approval-commit', 'plan', left)
    const world = await startAgain(left)
    expect(world.executions.plansOf(left.session)).toMatchObject([{ state: 'awaiting_approval' }])
    expect(world.executions.window(left.session)).toBeNull()
    expect(left.host.jobs()).toEqual([])
    invariants(world)
  })

  it.each([
    'after-approval-commit',
    'after-starting-commit',
    'after-job-start',
    'before-terminal-commit',
    'after-terminal-commit'
  ])('%s of a plan with typed assent, the plan stands and its step ran at most once', async (point) => {
    const left = await scene()
    await dieAt(point, 'plan', left)
    const world = await startAgain(left)
    const [plan] = world.executions.plansOf(left.session)
    expect(plan?.state).toBe('approved')
    expect(left.host.calls(/^pct create/).length).toBe(point === 'after-approval-commit' ? 0 : 1)
    expect(world.executions.window(left.session)).not.toBeNull()
    invariants(world)
  })

  it.each(['after-job-start', 'before-terminal-commit', 'after-terminal-commit'])(
    '%s of a destruction, it is destroyed once',
    async (point) => {
      const left = await scene()
      await dieAt(point, 'destroy', left)
      const world = await startAgain(left)
      expect(world.executions.list({}).executions[0]).toMatchObject({ state: 'succeeded' })
      expect(left.host.calls(/^pct destroy/)).toHaveLength(1)
      expect(left.host.status(200)).toBeNull()
      invariants(world)
    }
  )

  it.each(['after-job-start#2', 'before-terminal-commit#2', 'after-terminal-commit#2'])(
    '%s of a destruction that is tried again, both tries are told and each ran once',
    async (point) => {
      const left = await scene()
      left.host.failNext('pct-destroy', 'CT is locked (backup)')
      await dieAt(point, 'retry', left)
      const world = await startAgain(left)
      const states = world.executions.list({}).executions.map(({ state }) => state)
      expect(states).toEqual(['succeeded', 'failed'])
      expect(left.host.calls(/^pct destroy/)).toHaveLength(2)
      expect(left.host.status(200)).toBeNull()
      invariants(world)
    }
  )

  it.each([
    'after-approval-commit#2',
    'after-job-start',
    'after-job-start#2',
    'before-terminal-commit',
    'after-terminal-commit'
  ])('F51: %s of two that end together, both results are told', async (point) => {
    const left = await scene()
    await dieAt(point, 'two', left)
    const world = await startAgain(left)
    const ended = world.executions.list({}).executions
    expect(ended.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    expect(left.host.calls(/^pct start/)).toHaveLength(2)
    invariants(world)
  })

  it.each(['after-cancel-commit', 'before-terminal-commit', 'after-terminal-commit'])(
    '%s of a cancelled one, it is cancelled',
    async (point) => {
      const left = await scene()
      left.host.delay('pct-create', 30)
      await dieAt(point, 'cancel', left)
      const world = await startAgain(left)
      expect(world.executions.list({}).executions[0]).toMatchObject({ state: 'cancelled' })
      expect(left.host.calls(/^pct create/)).toHaveLength(1)
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
