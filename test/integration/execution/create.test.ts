import { describe, expect, it } from 'vitest'
import { startPveHost } from '../../support/pve-host'
import { openWorld } from './world'

describe('creating a container', () => {
  it('asks with everything decided, creates it as a job, starts it and reads it back', async () => {
    const world = await openWorld()
    const requested = await world.request('pct_create', 'lxc:typetype@strong', {
      memoryMiB: 1024,
      nesting: true
    })
    expect(requested).toMatchObject({
      state: 'awaiting_approval',
      host: 'strong',
      vmid: 100,
      guestName: 'typetype',
      title: 'Create container typetype (100) on strong',
      risk: 'config_mutation',
      params: {
        vmid: 100,
        storage: 'local-lvm',
        template: 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst'
      }
    })
    expect(requested.commands.map((command) => command.text)).toEqual([
      'pct create 100 local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst --hostname typetype --cores 1 ' +
        '--memory 1024 --swap 512 --rootfs local-lvm:8 --net0 name=eth0,bridge=vmbr0,ip=dhcp --unprivileged 1 ' +
        '--features nesting=1 --onboot 1',
      'pct start 100'
    ])
    expect(world.host.jobs()).toEqual([])

    world.approve(requested)
    const ended = await world.executions.settled(requested.id, 30_000)
    expect(ended).toMatchObject({
      state: 'succeeded',
      exitCode: 0,
      step: 'start',
      verification: { ok: true, summary: 'typetype (100) on strong exists and is running.' }
    })
    expect(world.host.status(100)).toBe('running')
    expect(world.note(requested.id)).toBe(
      `execution ${requested.id} (pct_create lxc:typetype@strong) succeeded: typetype (100) on strong exists and is running.`
    )
    expect(await world.executions.outputForModel(requested.id)).toContain('── create ──\n')
    const states = world.events.flatMap((event) =>
      event.type === 'execution.changed' ? [event.execution.state] : []
    )
    expect([...new Set(states)]).toEqual([
      'awaiting_approval',
      'approved',
      'starting',
      'running',
      'succeeded'
    ])
    expect(world.executions.audit.verify()).toMatchObject({ ok: true })
    expect(world.executions.window(world.session)?.scope).toEqual(['lxc:typetype', 'lxc:100'])
  })

  it('downloads an absent template as a step of its own', async () => {
    const host = await startPveHost({ template: false })
    const world = await openWorld({ host })
    const ended = await world.carryOut('pct_create', 'lxc:web@strong', {})
    await host.stop()
    expect(ended.commands.map((command) => command.step)).toEqual(['template', 'create', 'start'])
    expect(ended.state).toBe('succeeded')
  })
})
