import { describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../src-main/base/ids'
import { startLab } from '../../../src-main/lab/lab'
import type { ExecutionView } from '../../../src-preload/contract'
import { ensureSession, good, openServices, type ExecutionServices } from '../../support/execution-services'
import { tempFolder } from '../../support/temp'

interface LabWorld extends ExecutionServices {
  readonly session: string
  carryOut(action: string, target: string, params?: Record<string, unknown>): Promise<ExecutionView>
}

async function labWorld(): Promise<LabWorld> {
  const lab = await startLab({ folder: tempFolder(), pace: 0.05 })
  onTestFinished(() => lab.stop())
  const services = openServices(tempFolder(), lab.config.hosts)
  onTestFinished(() => services.close())
  const session = newId()
  ensureSession(services.store, session)
  await services.executions.recover()
  const { executions } = services
  return {
    ...services,
    session,
    async carryOut(action, target, params = {}) {
      const requested = good(
        await executions.request({ action, target, params, why: '', origin: 'agent', sessionId: session })
      )
      if (requested.state === 'awaiting_approval') {
        const { id, hash, confirmName } = good(executions.approval(requested.approvalId ?? ''))
        good(
          executions.decide({
            id,
            hash,
            decision: 'approve',
            route: 'chat',
            ...(confirmName !== null && { confirmName })
          })
        )
      }
      return executions.settled(requested.id, 50_000)
    }
  }
}

describe('in the lab', () => {
  it('a container is created, filled, changed, put away and destroyed', async () => {
    const lab = await labWorld()
    const ends = async (action: string, target: string, params: Record<string, unknown> = {}) => {
      const { state, error, verification } = await lab.carryOut(action, target, params)
      return { action, state, error, ok: verification?.ok }
    }
    const done = (action: string) => ({ action, state: 'succeeded', error: null, ok: true })
    expect(await ends('pct_create', 'lxc:typetype@strong', { memoryMiB: 1024, nesting: true })).toEqual(
      done('pct_create')
    )
    expect(await ends('pct_exec', 'lxc:typetype', { command: ['mkdir', '-p', '/opt/typetype'] })).toEqual(
      done('pct_exec')
    )
    const push = { path: '/opt/typetype/.env', content: "NAME='x'\nURL=https://tube.hubris.network\n" }
    expect(await ends('pct_push', 'lxc:typetype', push)).toEqual(done('pct_push'))
    expect(await ends('pct_set', 'lxc:typetype', { memoryMiB: 2048 })).toEqual(done('pct_set'))
    expect(await ends('systemctl', 'lxc:caddy', { verb: 'reload', unit: 'caddy' })).toEqual(done('systemctl'))
    expect(await ends('restart', 'lxc:caddy', { service: 'caddy' })).toEqual(done('restart'))
    expect(await ends('pct_reboot', 'lxc:typetype')).toEqual(done('pct_reboot'))
    expect(await ends('pct_shutdown', 'lxc:typetype')).toEqual(done('pct_shutdown'))
    expect(await ends('pct_snapshot', 'lxc:typetype', { name: 'before' })).toEqual(done('pct_snapshot'))
    expect(await ends('pct_rollback', 'lxc:typetype', { snapshot: 'before' })).toEqual(done('pct_rollback'))
    expect(await ends('pct_delsnapshot', 'lxc:typetype', { snapshot: 'before' })).toEqual(
      done('pct_delsnapshot')
    )
    expect(await ends('pct_start', 'lxc:typetype')).toEqual(done('pct_start'))
    expect(await ends('pct_shutdown', 'lxc:typetype')).toEqual(done('pct_shutdown'))
    expect(await ends('pct_destroy', 'lxc:typetype')).toEqual(done('pct_destroy'))
    expect(lab.executions.audit.verify().ok).toBe(true)
  })

  it('a virtual machine is put back to a snapshot, also to one with its memory, and the snapshots are deleted', async () => {
    const lab = await labWorld()
    const ends = async (action: string, params: Record<string, unknown>) => {
      const { state, error, verification } = await lab.carryOut(action, 'vm:home-assistant', params)
      return { state, error, proof: verification?.summary }
    }
    const vm = 'home-assistant (200) on strong'
    const done = (proof: string) => ({ state: 'succeeded', error: null, proof })
    expect(await ends('vm_snapshot', { name: 'cold' })).toEqual(done(`Snapshot cold of ${vm} is there.`))
    const withMemory = { command: 'qm snapshot 200 live --vmstate 1' }
    expect(await lab.carryOut('run', 'host:strong', withMemory)).toMatchObject({ state: 'succeeded' })
    expect(await ends('vm_rollback', { snapshot: 'live' })).toEqual(done(`${vm} is running.`))
    expect(await ends('vm_rollback', { snapshot: 'cold' })).toEqual(done(`${vm} is stopped.`))
    expect(await ends('vm_rollback', { snapshot: 'cold', start: true })).toEqual(done(`${vm} is running.`))
    for (const snapshot of ['cold', 'live'])
      expect(await ends('vm_delsnapshot', { snapshot })).toEqual(
        done(`Snapshot ${snapshot} of ${vm} is gone.`)
      )
  })

  it('what only reads answers at once', async () => {
    const lab = await labWorld()
    expect(await lab.carryOut('run', 'host:strong', { command: 'pct list' })).toMatchObject({
      state: 'succeeded',
      risk: 'read_only'
    })
    expect(await lab.carryOut('pct_exec', 'lxc:caddy', { command: ['cat', '/etc/hostname'] })).toMatchObject({
      state: 'succeeded'
    })
  })
})
