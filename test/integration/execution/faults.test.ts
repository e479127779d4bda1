import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExecutionView } from '../../../src-preload/contract'
import { startPveHost, type PveHost } from '../../support/pve-host'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy'
import { good, openWorld, type World } from './world'

/** A world whose create takes so many seconds. */
async function slowWorld(seconds: number): Promise<World> {
  const world = await openWorld()
  world.host.delay('pct-create', seconds)
  return world
}

async function behindProxy(seconds: number): Promise<{ world: World; network: TcpProxy }> {
  const host = await startPveHost()
  onTestFinished(() => host.stop())
  host.delay('pct-create', seconds)
  const network = await startTcpProxy(host.sshd.port)
  onTestFinished(() => network.stop())
  const world = await openWorld({
    host,
    hostConfig: () => host.sshd.hostConfig('strong', { port: network.port })
  })
  return { world, network }
}

async function running(world: World): Promise<ExecutionView> {
  const requested = await world.request('pct_create', 'lxc:typetype@strong')
  world.approve(requested)
  await world.reaches(requested.id, 'running')
  await vi.waitFor(
    async () => expect(await world.executions.outputForModel(requested.id)).toContain('working'),
    {
      timeout: 10_000
    }
  )
  return requested
}

const creates = (host: PveHost) => host.calls(/^pct create/).length

describe('while a job runs on the host', () => {
  it('F3: closing the app and opening it again brings its result; it was started once', async () => {
    const first = await slowWorld(2)
    const { id } = await running(first)
    const second = await first.reopen()
    expect(good(second.executions.get(id)).state).toBe('running')
    const ended = await second.executions.settled(id, 30_000)
    expect(ended).toMatchObject({ state: 'succeeded', verification: { ok: true } })
    expect(creates(second.host)).toBe(1)
    expect(second.note(id)).toContain('succeeded')
    const whole = good(await second.executions.output(id, 0, 100_000)).text
    expect(whole.match(/working, \d+ tenths left/g)).toHaveLength(20)
  })

  it('F14, F25: a connection cut in the middle leaves it unknown, then brings its result', async () => {
    const { world, network } = await behindProxy(2)
    const { id } = await running(world)
    network.cut()
    const ended = await world.executions.settled(id, 30_000)
    expect(ended.state).toBe('succeeded')
    expect(creates(world.host)).toBe(1)
    const states = world.events.flatMap((event) =>
      event.type === 'execution.changed' ? [event.execution.state] : []
    )
    expect(states).toContain('unknown')
    expect(
      world.executions.audit.list({ limit: 100 }).filter((entry) => entry.kind === 'execution.running')
    ).toHaveLength(1)
    expect(good(await world.executions.output(id, 0, 100_000)).text.match(/tenths left/g)).toHaveLength(20)
  })

  it('F15: a network that falls silent is noticed; the job is found again when it is back', async () => {
    const { world, network } = await behindProxy(1)
    const { id } = await running(world)
    network.freeze()
    await world.reaches(id, 'unknown')
    network.thaw()
    expect(await world.executions.settled(id, 30_000)).toMatchObject({ state: 'succeeded', error: null })
    expect(creates(world.host)).toBe(1)
  })

  it('F16: sshd restarted in the middle changes nothing for the job', async () => {
    const world = await slowWorld(2)
    const { id } = await running(world)
    await world.host.sshd.restart()
    expect(await world.executions.settled(id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(creates(world.host)).toBe(1)
  })

  it('a host that is away keeps it unknown, not failed, and the app can be closed meanwhile', async () => {
    const first = await slowWorld(1)
    const { id } = await running(first)
    await first.host.sshd.halt()
    await first.reaches(id, 'unknown')
    const second = await first.reopen()
    expect(good(second.executions.get(id)).state).toBe('unknown')
    await second.host.sshd.start()
    second.executions.wake()
    expect(await second.executions.settled(id, 30_000)).toMatchObject({ state: 'succeeded' })
  })

  it('a restarted host has interrupted it, and what is there now is told', async () => {
    const first = await slowWorld(30)
    const { id } = await running(first)
    await first.close()
    first.host.reboot()
    const second = await first.reopen()
    const ended = await second.executions.settled(id, 30_000)
    expect(ended).toMatchObject({ state: 'interrupted', error: { code: 'host_restarted' }, exitCode: null })
    expect(ended.verification?.summary).toContain('typetype (100) on strong')
    expect(second.note(id)).toContain('was interrupted by a restart of the host')
  })

  it('killed without a trace it is lost, and never run again by itself', async () => {
    const world = await slowWorld(30)
    const { id } = await running(world)
    const [leader] = readFileSync(join(world.host.state, 'jobs/nomos/jobs', id, 'pid'), 'utf8').split(' ')
    execFileSync('pkill', ['-KILL', '-s', String(leader)])
    const ended = await world.executions.settled(id, 30_000)
    expect(ended).toMatchObject({ state: 'lost', error: { code: 'job_lost' } })
    expect(creates(world.host)).toBe(1)
  })

  it('a record that is gone from the host makes it lost', async () => {
    const first = await slowWorld(30)
    const { id } = await running(first)
    await first.close()
    first.host.reboot()
    execFileSync('rm', ['-rf', join(first.host.state, 'jobs/nomos/jobs', id)])
    const second = await first.reopen()
    expect(await second.executions.settled(id, 30_000)).toMatchObject({
      state: 'lost',
      error: { code: 'job_vanished' }
    })
    expect(creates(second.host)).toBe(1)
  })
})

describe('exit status 124', () => {
  it('of the command itself is its failure, not our time limit', async () => {
    const world = await openWorld()
    world.host.addContainer(200, 'caddy', 'running')
    const ended = await world.carryOut('pct_exec', 'lxc:200', { command: ['timeout', '0.2', 'sleep', '30'] })
    expect(ended).toMatchObject({ state: 'failed', exitCode: 124, error: { code: 'command_failed' } })
  })

  it.each([
    ['0', 'succeeded'],
    ['124', 'timed_out'],
    ['7', 'failed']
  ])('F54: a job of an older version, which left %s and no more, has %s', async (left, state) => {
    const first = await openWorld()
    const asked = await first.request('run', 'host:strong', { command: 'sleep 60; touch /tmp/never' })
    first.approve(asked)
    await first.reaches(asked.id, 'running')
    await first.close()
    const folder = join(first.host.state, 'jobs/nomos/jobs', asked.id)
    const [leader] = readFileSync(join(folder, 'pid'), 'utf8').split(' ')
    execFileSync('pkill', ['-KILL', '-s', String(leader)])
    writeFileSync(join(folder, 'exit'), `${left}\n`)
    const second = await first.reopen()
    expect(await second.executions.settled(asked.id, 30_000)).toMatchObject({ state, exitCode: Number(left) })
  })
})

describe('F30: a disk that takes no writes', () => {
  const full = (world: World) => world.store.db.pragma('query_only = ON')
  const room = (world: World) => world.store.db.pragma('query_only = OFF')
  const toldOfDisk = (world: World) =>
    vi.waitFor(
      () => expect(world.events).toContainEqual(expect.objectContaining({ type: 'banner', gone: false })),
      {
        timeout: 20_000
      }
    )

  it('while it is decided leaves it waiting; it can be decided when there is room', async () => {
    const world = await slowWorld(0)
    const requested = await world.request('pct_create', 'lxc:typetype@strong')
    full(world)
    expect(() => world.approve(requested)).toThrow(/readonly/)
    expect(good(world.executions.get(requested.id)).state).toBe('awaiting_approval')
    room(world)
    world.approve(requested)
    expect(await world.executions.settled(requested.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(creates(world.host)).toBe(1)
  })

  it('after it was approved starts nothing; it starts by itself when there is room', async () => {
    const world = await slowWorld(0)
    const requested = await world.request('pct_create', 'lxc:typetype@strong')
    world.approve(requested)
    full(world)
    await toldOfDisk(world)
    expect(world.host.jobs()).toEqual([])
    room(world)
    expect(await world.executions.settled(requested.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(creates(world.host)).toBe(1)
  })

  it('when it ends keeps nothing half; its end is written and told once when there is room', async () => {
    const world = await slowWorld(1)
    const { id } = await running(world)
    full(world)
    await toldOfDisk(world)
    await vi.waitFor(() => expect(world.host.calls(/^pct config/).length).toBeGreaterThan(0), {
      timeout: 20_000
    })
    expect(good(world.executions.get(id)).state).toBe('running')
    expect(world.note(id)).toBeNull()
    room(world)
    expect(await world.executions.settled(id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(world.note(id)).toContain('succeeded')
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'banner', gone: true }))
    expect(world.host.starts().get(id)).toBe(1)
  })
})

describe('cancelling', () => {
  it('ends the processes of a running job', async () => {
    const world = await slowWorld(60)
    const { id } = await running(world)
    const cancelled = good(await world.executions.cancel(id))
    expect(cancelled.state).toBe('cancelled')
    const [leader] = readFileSync(join(world.host.state, 'jobs/nomos/jobs', id, 'pid'), 'utf8').split(' ')
    expect(() => execFileSync('pgrep', ['-s', String(leader), '-r', 'R,S,D'])).toThrow()
    expect(world.note(id)).toContain('was cancelled')
  })

  it('withdraws what waits for approval, which then cannot be approved', async () => {
    const world = await openWorld()
    const waiting = await world.request('pct_create', 'lxc:typetype@strong')
    expect(good(await world.executions.cancel(waiting.id)).state).toBe('cancelled')
    const approval = good(world.executions.approval(waiting.approvalId ?? ''))
    expect(approval).toMatchObject({ state: 'expired', reason: 'Cancelled before it was decided.' })
    const decided = world.executions.decide({
      id: approval.id,
      hash: approval.hash,
      decision: 'approve',
      route: 'ops'
    })
    expect(decided).toMatchObject({ ok: false, error: { code: 'approval_expired' } })
    expect(world.host.jobs()).toEqual([])
  })

  it('takes what waits for its turn out of the queue', async () => {
    const world = await slowWorld(60)
    const { id } = await running(world)
    const second = await world.request('pct_create', 'lxc:other@strong')
    world.approve(second)
    expect(good(world.executions.get(second.id)).waitsFor).toMatchObject({
      ...{ executionId: id, because: 'cluster', title: expect.stringContaining('typetype') as string }
    })
    expect(good(await world.executions.cancel(second.id))).toMatchObject({
      state: 'cancelled',
      waitsFor: null
    })
    good(await world.executions.cancel(id))
    expect(creates(world.host)).toBe(1)
  })

  it('what waits behind another on the same guest says so, and no more once it is let in', async () => {
    const world = await openWorld()
    world.host.addContainer(200, 'caddy', 'running')
    world.host.delay('pct-reboot', 3)
    const [first, second] = [
      await world.request('pct_reboot', 'lxc:caddy'),
      await world.request('pct_snapshot', 'lxc:caddy', { name: 'after' })
    ]
    world.approve(first)
    await world.reaches(first.id, 'running')
    world.approve(second)
    expect(good(world.executions.get(second.id))).toMatchObject({
      ...{ state: 'approved', waitsFor: { executionId: first.id, because: 'target' } }
    })
    const ended = await world.executions.settled(second.id, 30_000)
    expect(ended).toMatchObject({ state: 'succeeded', waitsFor: null })
  })

  it('while the host is away is done when it is back', async () => {
    const world = await slowWorld(60)
    const { id } = await running(world)
    await world.host.sshd.halt()
    await world.reaches(id, 'unknown')
    expect(good(await world.executions.cancel(id)).state).toBe('unknown')
    await world.host.sshd.start()
    world.executions.wake()
    expect(await world.executions.settled(id, 30_000)).toMatchObject({ state: 'cancelled' })
  })
})

describe('several at once', () => {
  it('F19: on a host that allows two sessions, jobs that say nothing leave room for questions', async () => {
    const host = await startPveHost({ config: ['MaxSessions 2'] })
    onTestFinished(() => host.stop())
    for (const vmid of [200, 201, 202, 203]) host.addContainer(vmid, `ct${vmid}`, 'running')
    const world = await openWorld({ host })
    const jobs = await Promise.all(
      [200, 201, 202, 203].map((vmid) =>
        world.request('pct_exec', `lxc:${vmid}`, { command: ['sh', '-c', `sleep 6; echo ${vmid} slept`] })
      )
    )
    jobs.forEach(world.approve)
    await Promise.all(jobs.map(({ id }) => world.reaches(id, 'running')))
    const asked = await world.ssh.exec('strong', ['pct', 'status', '200'], { timeoutMs: 5000 })
    expect(asked).toMatchObject({ ok: true, value: { code: 0 } })
    expect(jobs.map(({ id }) => good(world.executions.get(id)).state)).toContain('running')
    const ended = await Promise.all(jobs.map(({ id }) => world.executions.settled(id, 40_000)))
    expect(ended.map(({ state }) => state)).toEqual(jobs.map(() => 'succeeded'))
  })

  it('F27: the same request twice is one execution', async () => {
    const world = await openWorld()
    const [a, b] = await Promise.all([
      world.request('pct_create', 'lxc:typetype@strong'),
      world.request('pct_create', 'lxc:typetype@strong')
    ])
    const c = await world.request('pct_create', 'lxc:typetype@strong')
    expect([b.id, c.id]).toEqual([a.id, a.id])
    world.approve(a)
    await world.executions.settled(a.id, 30_000)
    expect(creates(world.host)).toBe(1)
  })

  it('creates on one cluster take turns and get VMIDs of their own', async () => {
    const world = await slowWorld(0.5)
    const [a, b] = [
      await world.request('pct_create', 'lxc:one@strong'),
      await world.request('pct_create', 'lxc:two@strong')
    ]
    expect([a.vmid, b.vmid]).toEqual([100, 101])
    world.approve(a)
    world.approve(b)
    const ended = await Promise.all([a, b].map(({ id }) => world.executions.settled(id, 30_000)))
    expect(ended.map((each) => each.state)).toEqual(['succeeded', 'succeeded'])
    expect(ended[1]?.startedAt ?? 0).toBeGreaterThanOrEqual(ended[0]?.endedAt ?? Infinity)
  })

  it('F51: two that end together leave one result each, in the order in which they ended', async () => {
    const world = await openWorld()
    world.host.addContainer(200, 'caddy', 'stopped')
    world.host.addContainer(201, 'db', 'stopped')
    const both = [await world.request('pct_start', 'lxc:caddy'), await world.request('pct_start', 'lxc:db')]
    both.forEach(world.approve)
    await Promise.all(both.map(({ id }) => world.executions.settled(id, 30_000)))
    const rows = world.store.db
      .prepare("SELECT subject_id, state FROM continuations WHERE cause = 'execution'")
      .all()
    expect(rows).toHaveLength(2)
    expect(both.map(({ id }) => world.note(id))).toEqual(
      both.map(() => expect.stringContaining('succeeded') as string)
    )
  })
})
