import { newId } from '../../src-main/base/ids'
import type { HostConfig } from '../../src-preload/contract'
import { ensureSession, good, openServices } from './execution-services'

// Executions in a process of their own, so that it can be killed: SCENE says on which home, which hosts, and what for.
const scene = JSON.parse(process.env['SCENE'] ?? '{}') as {
  home: string
  session: string
  host: HostConfig
  flow: Flow
}
type Flow = 'approve' | 'plan' | 'cancel' | 'two' | 'destroy' | 'retry' | 'follow'

const { store, executions } = openServices(scene.home, [scene.host])
ensureSession(store, scene.session)
await executions.recover()

const ask = async (action: string, target: string) =>
  good(
    await executions.request({
      action,
      target,
      params: {},
      why: newId(),
      origin: 'agent',
      sessionId: scene.session
    })
  )

const approve = (id: string) => {
  const { hash, confirmName } = good(executions.approval(id))
  executions.decide({
    id,
    hash,
    decision: 'approve',
    route: 'chat',
    ...(confirmName !== null && { confirmName })
  })
}

if (scene.flow === 'plan') {
  const steps = [
    { action: 'pct_create', target: 'lxc:typetype@strong', params: {}, why: '' },
    { action: 'pct_exec', target: 'lxc:typetype', params: { command: ['mkdir', '/srv/app'] }, why: '' }
  ]
  const plan = good(
    await executions.proposePlan({ sessionId: scene.session, title: 'deploy', summary: '', steps })
  )
  executions.assent(scene.session, 'run all yourself')
  const first = good(
    await executions.requestPlanStep({ sessionId: scene.session, planId: plan.id, step: 1, tainted: false })
  )
  await executions.settled(first.id, 30_000)
} else if (scene.flow === 'two') {
  const both = [await ask('pct_start', 'lxc:200'), await ask('pct_start', 'lxc:201')]
  for (const { approvalId } of both) approve(approvalId ?? '')
  await Promise.all(both.map(({ id }) => executions.settled(id, 30_000)))
} else if (scene.flow === 'retry') {
  // The test has made the first try fail.
  for (let tries = 0; tries < 2; tries++) {
    const { id, approvalId } = await ask('pct_destroy', 'lxc:200')
    approve(approvalId ?? '')
    await executions.settled(id, 30_000)
  }
} else if (scene.flow === 'destroy') {
  const { id, approvalId } = await ask('pct_destroy', 'lxc:200')
  approve(approvalId ?? '')
  await executions.settled(id, 30_000)
} else {
  const { id, approvalId } = await ask('pct_create', 'lxc:typetype@strong')
  approve(approvalId ?? '')
  if (scene.flow === 'cancel') {
    store.bus.subscribe(({ event }) => {
      if (event.type === 'execution.output') void executions.cancel(id)
    })
  }
  if (scene.flow === 'follow')
    store.bus.subscribe(({ event }) => {
      if (event.type === 'execution.output' && event.totalBytes > 100) process.kill(process.pid, 'SIGKILL')
    })
  await executions.settled(id, 30_000)
}
// Killed at its crash point; should none be reached, the test must not hang.
process.exit(7)
