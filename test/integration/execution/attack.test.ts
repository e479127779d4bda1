import { describe, expect, it, vi } from 'vitest'
import type { ExecutionView } from '../../../src-preload/contract'
import { good, openWorld, type World } from './world'

async function someWorld(): Promise<World> {
  const world = await openWorld()
  world.host.addContainer(200, 'caddy', 'running')
  world.host.addContainer(201, 'db', 'stopped')
  world.host.writeInside(200, '/units/caddy', 'active')
  return world
}

const endOf = (world: World, execution: ExecutionView) => world.executions.settled(execution.id, 30_000)

describe('what was approved is what runs', () => {
  it('B28: another guest that has taken the VMID meanwhile is left alone', async () => {
    const world = await someWorld()
    const execution = await world.request('pct_destroy', 'lxc:201')
    world.host.removeContainer(201)
    world.host.addContainer(201, 'payroll', 'stopped')
    world.approve(execution)
    const ended = await endOf(world, execution)
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'facts_changed' } })
    expect(world.host.calls(/^pct destroy/)).toEqual([])
  })

  it('B28: a step of a plan asks anew when its VMID belongs to another guest now', async () => {
    const world = await someWorld()
    const plan = good(
      await world.executions.proposePlan({
        sessionId: world.session,
        title: 'Start the database',
        summary: '',
        steps: [{ action: 'pct_set', target: 'lxc:201', params: { cores: 2 }, why: '' }]
      })
    )
    good(
      world.executions.decide({ id: plan.approvalId, hash: plan.hash, decision: 'approve', route: 'chat' })
    )
    world.host.removeContainer(201)
    world.host.addContainer(201, 'payroll', 'stopped')
    await world.fleet.refresh()
    const step = await world.executions.requestPlanStep({
      sessionId: world.session,
      planId: plan.id,
      step: 1,
      tainted: true
    })
    expect(good(step).state).toBe('awaiting_approval')
  })

  it('F27: a step of a plan asked for twice at once runs once, however long one of them takes to prepare', async () => {
    const world = await someWorld()
    const plan = good(
      await world.executions.proposePlan({
        sessionId: world.session,
        title: 'Restart it',
        summary: '',
        steps: [
          { action: 'systemctl', target: 'lxc:caddy', params: { verb: 'restart', unit: 'caddy' }, why: '' }
        ]
      })
    )
    good(
      world.executions.decide({ id: plan.approvalId, hash: plan.hash, decision: 'approve', route: 'chat' })
    )
    const ask = () =>
      world.executions.requestPlanStep({ sessionId: world.session, planId: plan.id, step: 1, tainted: false })
    const resolve = world.fleet.resolve.bind(world.fleet)
    let goOn: () => void = () => undefined
    const held = new Promise<void>((done) => (goOn = done))
    vi.spyOn(world.fleet, 'resolve').mockImplementationOnce(async (target) => {
      await held
      return resolve(target)
    })
    const slow = ask()
    await endOf(world, good(await ask()))
    goOn()
    expect(await slow).toMatchObject({ ok: false, error: { code: 'plan_step_done' } })
    expect(world.host.jobs()).toHaveLength(1)
  })

  it('typed assent approves nothing while something destructive waits beside: which one is meant is not known', async () => {
    const world = await someWorld()
    const start = await world.request('pct_start', 'lxc:db')
    const destroy = await world.request('pct_destroy', 'lxc:db')
    expect(world.executions.assent(world.session, 'yes, run it')).toMatchObject({
      ok: false,
      error: { code: 'assent_ambiguous' }
    })
    for (const { id } of [start, destroy])
      expect(good(world.executions.get(id)).state).toBe('awaiting_approval')
  })

  it('a window for a container covers nothing that reaches the files of its host', async () => {
    const world = await someWorld()
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    world.host.writeInside(200, '/tmp/x', 'x')
    for (const [action, target, params] of [
      ['pct_pull', 'lxc:caddy', { path: '/tmp/x', hostFile: '/etc/cron.d/nomos-attack-test' }],
      ['pct_push', 'lxc:caddy', { path: '/tmp/y', hostFile: '/etc/hostname' }]
    ] as const)
      expect((await world.request(action, target, params)).state, action).toBe('awaiting_approval')
    const covered = await world.request('pct_push', 'lxc:caddy', { path: '/tmp/z', content: 'z' })
    expect(covered.state).toBe('approved')
    await endOf(world, covered)

    const created = await world.carryOut('pct_create', 'lxc:new@strong', { start: false })
    expect(created.state).toBe('succeeded')
    await world.executions.settled((await world.carryOut('pct_destroy', 'lxc:new')).id, 30_000)
    const again = { start: false, mounts: [{ source: '/etc', path: '/host' }] }
    expect((await world.request('pct_create', 'lxc:new@strong', again)).state).toBe('awaiting_approval')
  })
})
