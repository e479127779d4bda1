import { newId } from '../../src-main/base/ids'
import type { ExecutionView, HostConfig } from '../../src-preload/contract'
import { ensureSession, good, openServices } from './execution-services'
import { addGuest } from './pve-host'

// Executions in a process of their own, so that it can be killed: SCENE says on which home, which host, and what for.
const scene = JSON.parse(process.env['SCENE'] ?? '{}') as {
  readonly home: string
  readonly session: string
  readonly host: HostConfig
  /** The folder with the state of the simulated node. */
  readonly pveState: string
  readonly flow: Flow
}
export type Flow = keyof typeof flows

const { store, executions, close } = openServices(scene.home, [scene.host])
ensureSession(store, scene.session)
await executions.recover()

const ask = async (action: string, target: string, tainted = false) =>
  good(
    await executions.request({
      ...{ action, target, params: {}, why: newId(), origin: 'agent', sessionId: scene.session, tainted }
    })
  )

const approve = ({ approvalId }: ExecutionView) => {
  const { id, hash, confirmName } = good(executions.approval(approvalId ?? ''))
  const typed = confirmName !== null && { confirmName }
  good(executions.decide({ id, hash, decision: 'approve', route: 'chat', ...typed }))
}

const carryOut = async (action: string, target: string) => {
  const asked = await ask(action, target)
  approve(asked)
  return executions.settled(asked.id, 30_000)
}

const create = () => carryOut('pct_create', 'lxc:typetype@strong')

/** Creates a container whose VMID belongs to somebody else before it is approved. */
const createTaken = async (tainted: boolean) => {
  const asked = await ask('pct_create', 'lxc:typetype@strong', tainted)
  addGuest(scene.pveState, 'lxc', asked.vmid ?? 0, 'stopped', { hostname: 'somebody' })
  approve(asked)
  await executions.settled(asked.id, 30_000)
}

/** Waits until everything that was approved has ended. */
const rest = async () => {
  const next = executions.open().find(({ state }) => state !== 'awaiting_approval')
  if (!next) return
  await executions.settled(next.id, 30_000)
  await rest()
}

const flows = {
  'single approval': create,
  'output streaming': create,
  cancel: async () => {
    const wishes: Promise<unknown>[] = []
    store.bus.subscribe(({ event }) => {
      if (event.type === 'execution.output') wishes.push(executions.cancel(event.executionId))
    })
    await create()
    await Promise.all(wishes)
  },
  'plan with typed assent': async () => {
    const { session: sessionId } = scene
    const steps = [
      { action: 'pct_create', target: 'lxc:typetype@strong', params: {}, why: '' },
      { action: 'pct_exec', target: 'lxc:typetype', params: { command: ['mkdir', '/srv/app'] }, why: '' }
    ]
    const plan = good(await executions.proposePlan({ sessionId, title: 'deploy', summary: '', steps }))
    executions.assent(sessionId, 'run all yourself')
    good(await executions.requestPlanStep({ sessionId, planId: plan.id, step: 1, tainted: false }))
  },
  destructive: () => carryOut('pct_destroy', 'lxc:200'),
  'destructive with retry': async () => {
    // The test has made the first try fail.
    for (let tries = 0; tries < 2; tries++) await carryOut('pct_destroy', 'lxc:200')
  },
  'two finishing together': async () => {
    for (const asked of [await ask('pct_start', 'lxc:200'), await ask('pct_start', 'lxc:201')]) approve(asked)
    await rest()
  },
  'VMID taken before the start': () => createTaken(false),
  'VMID taken at its use': create,
  'VMID taken, asked for by a turn that read a page': () => createTaken(true)
}

await flows[scene.flow]()
await rest()
await close()
