import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { crashPoints, type CrashPoint } from '../../../src-main/base/crash-points'
import { newId } from '../../../src-main/base/ids'
import { isTerminal, type ExecutionView } from '../../../src-preload/contract'
import { bundleProgram } from '../../support/bundle'
import type { Flow } from '../../support/execution-child'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { tempFolder } from '../../support/temp'
import { openWorld, type World } from './world'

export interface Scene {
  readonly host: PveHost
  readonly home: string
  readonly session: string
}

/** A flow, where it is killed, and what holds after the restart. */
export interface CrashFlow {
  readonly flow: Flow
  /** Of every point there is: the passes at which the flow is killed (1 the first), or why it does not come by. */
  readonly points: Readonly<Record<CrashPoint, readonly number[] | string>>
  readonly prepare?: (left: Scene) => void
  /** `killed`: what the process was killed at, such as `after-job-start#2`. */
  readonly holds: (world: World, left: Scene, killed: string) => void | Promise<void>
}

/** What no flow of executions alone comes by; crash-agent.test.ts kills there. */
export const noModel = {
  ...{ 'before-claim-commit': 'no model takes part', 'after-claim': 'no model takes part' },
  ...{ 'tool-saved': 'no model takes part', 'tool-ran': 'no model takes part' },
  'mid-stream': 'no model takes part'
} as const

/** Declares a test for each point that each flow passes, and one that shows that there is no other. */
export function killAtEveryPoint(rows: string, flows: readonly CrashFlow[]): void {
  let program = ''
  beforeAll(async () => {
    // Files of tests run side by side: each has a bundle of its own.
    const folder = basename(expect.getState().testPath ?? '', '.test.ts')
    program = await bundleProgram('test/support/execution-child.ts', folder)
  })
  for (const { flow, points, prepare, holds } of flows)
    describe(`${flow}, killed with SIGKILL`, () => {
      it('comes by every point of its row, and by none that the row says it does not', async () => {
        const left = await scene()
        prepare?.(left)
        const log = join(left.home, 'passed')
        expect(await play(program, flow, left, { NOMOS_CRASH_LOG: log })).toBe(null)
        const passed = new Set(
          readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((name) => name.replace(/#.*/, ''))
        )
        expect([...passed].sort()).toEqual(
          crashPoints.filter((point) => typeof points[point] !== 'string').sort()
        )
      })

      const kills = crashPoints.flatMap((point) => {
        const passes = points[point]
        return typeof passes === 'string' ? [] : passes.map((n) => (n === 1 ? point : `${point}#${n}`))
      })
      it.each(kills)(`${rows}: %s`, async (killed) => {
        const left = await scene()
        prepare?.(left)
        expect(await play(program, flow, left, { NOMOS_CRASH_AT: killed })).toBe('SIGKILL')
        const world = await startAgain(left)
        await holds(world, left, killed)
        invariants(world)
      })
    })
}

async function scene(): Promise<Scene> {
  const host = await startPveHost()
  onTestFinished(() => host.stop())
  host.addContainer(200, 'caddy', 'stopped')
  host.addContainer(201, 'db', 'stopped')
  return { host, home: tempFolder(), session: newId() }
}

/** Runs the flow in a process of its own. Answers the signal that ended it; null when it came to its end. */
async function play(
  program: string,
  flow: Flow,
  { host, home, session }: Scene,
  env: Readonly<Record<string, string>>
): Promise<string | null> {
  const hosts = { host: host.sshd.hostConfig('strong'), pveState: host.state }
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...env, SCENE: JSON.stringify({ home, session, flow, ...hosts }) },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect({ code, said: code === 0 || signal === 'SIGKILL' ? '' : said }).toMatchObject({ said: '' })
  return signal
}

/** Opens the app on what the dead one left, and lets everything that was approved come to its end. */
async function startAgain(left: Scene): Promise<World> {
  const world = await openWorld(left)
  for (let next = underWay(world); next; next = underWay(world))
    await world.executions.settled(next.id, 30_000)
  return world
}

/** Something that may still bring something new. */
const underWay = (world: World): ExecutionView | undefined =>
  world.executions.open().find(({ state }) => state !== 'awaiting_approval')

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
