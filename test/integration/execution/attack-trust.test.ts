import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startPveHost } from '../../support/pve-host'
import { good, openWorld, type World } from './world'

/** A host whose key was trusted at its first use, with something that runs, waits its turn and waits for approval. */
async function busyWorld() {
  const world = await openWorld({
    hostConfig: (host) => host.sshd.hostConfig('strong', { hostKey: undefined })
  })
  await world.ssh.exec('strong', ['true'])
  good(world.ssh.trust('strong', world.host.sshd.hostKeyFingerprint, false))
  world.host.addContainer(200, 'caddy', 'stopped')
  world.host.addContainer(201, 'db', 'stopped')
  world.host.delay('pct-start', 2)
  const running = await world.request('pct_start', 'lxc:db')
  world.approve(running)
  await world.reaches(running.id, 'running')
  const behind = await world.request('pct_set', 'lxc:db', { cores: 2 })
  const waiting = await world.request('pct_destroy', 'lxc:caddy')
  expect([behind.state, waiting.state]).toEqual(['approved', 'awaiting_approval'])
  return { world, running, behind, waiting }
}

const knownHosts = ({ host }: World, key = host.sshd) =>
  `[127.0.0.1]:${host.sshd.port} ${readFileSync(join(key.folder, 'host_ed25519.pub'), 'utf8')}`

const stateOf = (world: World, { id }: { id: string }) => good(world.executions.get(id)).state

describe('a host key that is forgotten while a job runs there', () => {
  it('voids all that has not started, and the job is found again once the host is trusted', async () => {
    const { world, running, behind, waiting } = await busyWorld()
    good(world.ssh.forgetKey('strong'))
    expect(stateOf(world, waiting)).toBe('expired')
    expect(good(world.executions.get(behind.id))).toMatchObject({
      ...{ state: 'failed', startedAt: null, waitsFor: null },
      error: { code: 'approval_changed', message: 'The key of strong was forgotten. Nothing was run.' }
    })
    expect(world.executions.windows()).toEqual([])
    expect((await world.reaches(running.id, 'unknown')).error?.code).toMatch(
      /host_key_unknown|connection_lost/
    )

    expect(world.ssh.importKnownHosts(knownHosts(world)).hosts).toMatchObject([{ outcome: 'imported' }])
    expect(await world.executions.settled(running.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect([...world.host.starts().values()]).toEqual([1])
    expect(world.host.calls(/^pct (set|destroy)/)).toEqual([])
    expect(world.executions.audit.verify().ok).toBe(true)
  })

  it('and of a known_hosts file that knows the host already, or another key for it, nothing changes', async () => {
    const { world, running, behind, waiting } = await busyWorld()
    const other = await startPveHost()
    try {
      expect(world.ssh.importKnownHosts(knownHosts(world)).hosts).toMatchObject([{ outcome: 'same' }])
      expect(world.ssh.importKnownHosts(knownHosts(world, other.sshd)).hosts).toMatchObject([
        { outcome: 'other_key' }
      ])
    } finally {
      await other.stop()
    }
    expect(stateOf(world, waiting)).toBe('awaiting_approval')
    for (const { id } of [running, behind])
      expect(await world.executions.settled(id, 30_000)).toMatchObject({ state: 'succeeded' })
  })
})

describe('a host that is not what it was', () => {
  const restart = { verb: 'restart', unit: 'caddy' }

  /** "Allow exactly this", once with a card. */
  async function allowedWorld(): Promise<World> {
    const world = await openWorld()
    world.host.addContainer(200, 'caddy', 'running')
    world.host.writeInside(200, '/units/caddy', 'active')
    const asked = await world.request('systemctl', 'lxc:caddy', restart)
    const { id, hash } = good(world.executions.approval(asked.approvalId ?? ''))
    good(world.executions.decide({ id, hash, decision: 'approve', route: 'chat', allowMinutes: 30 }))
    await world.executions.settled(asked.id, 30_000)
    return world
  }

  const configure = (world: World, change: Partial<ReturnType<World['host']['sshd']['hostConfig']>>) =>
    good(world.config.update({ hosts: [world.host.sshd.hostConfig('strong', change)] }))

  it('by another name is allowed nothing of what was allowed before', async () => {
    const world = await allowedWorld()
    expect(world.executions.allowances()).toHaveLength(1)
    configure(world, { name: 'mighty' })
    await world.fleet.refresh()
    const asked = await world.request('systemctl', 'lxc:caddy', restart)
    expect(asked).toMatchObject({ host: 'mighty', state: 'awaiting_approval' })
    await world.executions.cancel(asked.id)
    configure(world, {})
    await world.fleet.refresh()
    expect((await world.request('systemctl', 'lxc:caddy', restart)).state).toBe('approved')
  })

  it('as another user, or as root by sudo, is allowed nothing: what waits, is allowed and is covered ends', async () => {
    const world = await allowedWorld()
    const asked = await world.request('pct_stop', 'lxc:caddy')
    configure(world, { sudo: true })
    expect(stateOf(world, asked)).toBe('expired')
    expect(world.executions.allowances()).toEqual([])
    expect(world.executions.windows()).toEqual([])
    expect(world.executions.audit.list({ limit: 20 }).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['approval.expired', 'allowance.ended', 'window.ended'])
    )
    configure(world, {})
    expect((await world.request('systemctl', 'lxc:caddy', restart)).state).toBe('awaiting_approval')
  })

  it('in nothing that counts keeps what was allowed: another host beside it, its way, its place in the list', async () => {
    const world = await allowedWorld()
    const strong = world.host.sshd.hostConfig('strong')
    good(world.config.update({ hosts: [{ ...strong, name: 'beside', port: 9 }, strong] }))
    expect(world.executions.allowances()).toHaveLength(1)
    const covered = await world.request('systemctl', 'lxc:caddy', restart)
    expect(covered.state).toBe('approved')
    expect(await world.executions.settled(covered.id, 30_000)).toMatchObject({ state: 'succeeded' })
  })

  it('but another machine under its name, is not covered by its window, also when Nomos was closed meanwhile', async () => {
    const other = await startPveHost()
    try {
      let current = (world: { sshd: World['host']['sshd'] }) => world.sshd.hostConfig('strong')
      const world = await openWorld({ hostConfig: (host) => current(host) })
      await world.carryOut('run', 'host:strong', { command: `touch ${join(world.home, 'one')}` })
      const again = { command: `touch ${join(world.home, 'two')}` }
      expect((await world.carryOut('run', 'host:strong', again)).state).toBe('succeeded')
      expect(world.executions.window(world.session)?.scope).toEqual(['host:strong'])
      current = () => other.sshd.hostConfig('strong')
      const reopened = await world.reopen()
      expect(reopened.executions.window(world.session)).toBeNull()
      const asked = await reopened.request('run', 'host:strong', {
        command: `touch ${join(world.home, 'x')}`
      })
      expect(asked.state).toBe('awaiting_approval')
      expect(other.jobs()).toEqual([])
    } finally {
      await other.stop()
    }
  })
})
