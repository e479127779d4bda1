import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src-main/base/clock'
import { newId } from '../../../src-main/base/ids'
import type { ExecutionView } from '../../../src-preload/contract'
import { ensureSession } from '../../support/execution-services'
import { good, openWorld, type World, type WorldOptions } from './world'

const minute = 60_000

async function caddyWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options)
  world.host.addContainer(200, 'caddy', 'running')
  world.host.addContainer(201, 'db', 'stopped')
  world.host.writeInside(200, '/units/caddy', 'active')
  return world
}

/** Two sessions, each with a window of its own over the same container. */
async function twoWindows() {
  const world = await caddyWorld()
  const second = newId()
  ensureSession(world.store, second)
  const restart = { verb: 'restart', unit: 'caddy' }
  const ask = async (sessionId: string, action: string, params: Record<string, unknown> = {}) =>
    good(
      await world.executions.request({
        ...{ action, target: 'lxc:caddy', params, why: '', origin: 'agent', sessionId }
      })
    )
  for (const session of [world.session, second]) {
    const asked = await ask(session, 'systemctl', restart)
    expect(asked.state).toBe('awaiting_approval')
    world.approve(asked)
    await world.executions.settled(asked.id, 30_000)
  }
  expect(world.executions.windows()).toHaveLength(2)
  const restartIn = (session: string) => ask(session, 'systemctl', restart)
  return { world, first: world.session, second, ask, restartIn }
}

const deny = (world: World, { approvalId }: ExecutionView) => {
  const { id, hash } = good(world.executions.approval(approvalId ?? ''))
  good(world.executions.decide({ id, hash, decision: 'deny', route: 'ops' }))
}

describe('two windows over the same target', () => {
  it('end each on its own: by hand, and by a denial', async () => {
    const { world, first, second, ask, restartIn } = await twoWindows()
    deny(world, await ask(first, 'pct_stop'))
    expect(world.executions.window(first)).toBeNull()
    expect(world.executions.window(second)).not.toBeNull()
    expect((await restartIn(first)).state).toBe('awaiting_approval')
    const covered = await restartIn(second)
    expect(covered.state).toBe('approved')
    await world.executions.settled(covered.id, 30_000)
    good(world.executions.endWindow(world.executions.window(second)?.id ?? '', 'Ended by the operator.'))
    expect((await restartIn(second)).state).toBe('awaiting_approval')
  })

  it('let one act after the other, and what waits says behind whom', async () => {
    const { world, first, second, ask, restartIn } = await twoWindows()
    world.host.delay('pct-reboot', 1)
    const before = await ask(first, 'pct_reboot')
    const after = await restartIn(second)
    expect([before.state, after.state]).toEqual(['approved', 'approved'])
    expect(good(world.executions.get(after.id)).waitsFor).toMatchObject({
      ...{ executionId: before.id, because: 'target' }
    })
    const ends = await Promise.all([before, after].map(({ id }) => world.executions.settled(id, 30_000)))
    expect(ends.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    expect(ends[1]?.startedAt ?? 0).toBeGreaterThanOrEqual(ends[0]?.endedAt ?? Infinity)
  })

  it('do not let one act on what the other has done away with', async () => {
    const { world, first, second, ask } = await twoWindows()
    world.host.delay('pct-shutdown', 1)
    const off = await ask(first, 'pct_shutdown')
    const inside = await ask(second, 'pct_exec', { command: ['mkdir', '-p', '/srv/app'] })
    expect(inside.state).toBe('approved')
    expect(await world.executions.settled(off.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(await world.executions.settled(inside.id, 30_000)).toMatchObject({
      ...{ state: 'failed', startedAt: null, error: { code: 'guest_stopped' } }
    })
  })

  it('one decision of two at the same moment counts, whichever window of the app it came from', async () => {
    const world = await caddyWorld()
    const asked = await world.request('pct_stop', 'lxc:caddy')
    const { id, hash, confirmName } = good(world.executions.approval(asked.approvalId ?? ''))
    const typed = confirmName !== null && { confirmName }
    const decisions = (['approve', 'deny', 'approve'] as const).map((decision) =>
      world.executions.decide({ id, hash, decision, route: 'ops', ...typed })
    )
    expect(decisions.map(({ ok }) => ok)).toEqual([true, false, false])
    await world.executions.settled(asked.id, 30_000)
    expect(world.host.calls(/^pct stop/)).toHaveLength(1)
  })
})

describe('A6: a clock that is set back', () => {
  function movableClock(): Clock & { move(ms: number): void } {
    let offset = 0
    return { now: () => Date.now() + offset, move: (ms) => (offset += ms) }
  }

  it('keeps what was approved and waits its turn from starting', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    world.host.delay('pct-start', 2)
    const ahead = await world.request('pct_start', 'lxc:db')
    world.approve(ahead)
    await world.reaches(ahead.id, 'running')
    const behind = await world.request('pct_set', 'lxc:db', { cores: 2 })
    expect(behind.state).toBe('approved')
    clock.move(-10 * minute)
    expect(await world.executions.settled(behind.id, 30_000)).toMatchObject({
      ...{ state: 'failed', startedAt: null, error: { code: 'approval_expired' } }
    })
    // What runs already is not touched by it.
    expect(good(world.executions.get(ahead.id)).state).toBe('succeeded')
    expect(world.host.calls(/^pct set/)).toEqual([])
  })

  it('makes an approved plan ask anew, and ends its window', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    const { session: sessionId } = world
    const steps = [{ action: 'pct_set', target: 'lxc:db', params: { cores: 2 }, why: '' }]
    const plan = good(
      await world.executions.proposePlan({ sessionId, title: 'more cores', summary: '', steps })
    )
    world.executions.assent(sessionId, 'run all yourself')
    clock.move(-10 * minute)
    expect(
      await world.executions.requestPlanStep({ sessionId, planId: plan.id, step: 1, tainted: false })
    ).toMatchObject({ ok: false, error: { code: 'plan_lapsed' } })
    expect(world.executions.window(sessionId)).toBeNull()
    expect((await world.request('pct_set', 'lxc:db', { cores: 2 })).state).toBe('awaiting_approval')
  })
})
