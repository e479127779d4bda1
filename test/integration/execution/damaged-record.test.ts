import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../../src-preload/contract'
import { good, openWorld, type World } from './world'

async function someWorld(): Promise<World> {
  const world = await openWorld()
  world.host.addContainer(200, 'caddy', 'running')
  world.host.addContainer(201, 'db', 'stopped')
  world.host.writeInside(200, '/units/caddy', 'active')
  return world
}

const plan = async (world: World): Promise<PlanView> =>
  good(
    await world.executions.proposePlan({
      sessionId: world.session,
      title: 'Bring the database up',
      summary: '',
      steps: [
        { action: 'pct_set', target: 'lxc:db', params: { cores: 2 }, why: '' },
        { action: 'pct_start', target: 'lxc:db', params: {}, why: '' }
      ]
    })
  )

/** Half of a column is all that the disk gives back. */
const half = (column: string) => `${column} = substr(${column}, 1, length(${column}) / 2)`
const otherText = `commands = replace(commands, '"text":"pct', '"text":"true; pct')`
const shownIsNotHashed: [string, string] = ['a text of a command that is not what was hashed', otherText]

const refusals = (world: World) =>
  world.executions.audit.list({ limit: 50 }).filter(({ kind }) => kind === 'approval.refused')

const recordDamaged = {
  ok: false,
  error: { code: 'record_damaged', hint: expect.stringContaining('Ask for it again') as string }
}

describe('a record that cannot be read whole', () => {
  it.each([
    ['half of its params', half('params')],
    ['half of what preflight found', half('prepared')],
    ['half of its commands', half('commands')],
    shownIsNotHashed
  ])('of one step of a plan, %s: the plan cannot be approved, over no route', async (_what, damage) => {
    const world = await someWorld()
    const { id, hash, approvalId } = await plan(world)
    world.store.db.prepare(`UPDATE plan_steps SET ${damage} WHERE idx = 2`).run()
    expect(world.executions.assent(world.session, 'run all yourself')).toMatchObject(recordDamaged)
    expect(good(world.executions.plan(id)).state).toBe('expired')
    const again = { id: approvalId, hash, decision: 'approve', route: 'ops' } as const
    expect(world.executions.decide(again)).toMatchObject({ ok: false, error: { code: 'approval_expired' } })
    expect(refusals(world)).toHaveLength(2)
    expect(world.executions.window(world.session)).toBeNull()
    const step = { sessionId: world.session, planId: id, step: 1, tainted: false }
    expect(await world.executions.requestPlanStep(step)).toMatchObject({ ok: false })
    expect(world.host.jobs()).toEqual([])
  })

  it('of a step whose params were changed to others: the plan cannot be approved either', async () => {
    const world = await someWorld()
    const { hash, approvalId } = await plan(world)
    world.store.db.prepare(`UPDATE plan_steps SET params = replace(params, '2', '8') WHERE idx = 1`).run()
    expect(
      world.executions.decide({ id: approvalId, hash, decision: 'approve', route: 'chat' })
    ).toMatchObject({ ok: false, error: { code: 'approval_changed' } })
  })

  it('of an approved step: that step is not carried out, and says why', async () => {
    const world = await someWorld()
    const { id } = await plan(world)
    world.executions.assent(world.session, 'run all yourself')
    world.store.db.prepare(`UPDATE plan_steps SET ${half('params')} WHERE idx = 1`).run()
    const step = { sessionId: world.session, planId: id, step: 1, tainted: false }
    expect(await world.executions.requestPlanStep(step)).toMatchObject(recordDamaged)
  })

  it.each([
    ['half of its params', half('params')],
    ['half of what preflight found', half('facts')],
    ['half of its commands', half('commands')],
    shownIsNotHashed
  ])(
    'of one execution, %s: it cannot be approved, can be denied, and keeps no other back',
    async (_what, damage) => {
      const world = await someWorld()
      const params = { verb: 'restart', unit: 'caddy' }
      await world.carryOut('systemctl', 'lxc:caddy', params)
      expect(world.executions.window(world.session)).not.toBeNull()
      const approved = await world.request('pct_set', 'lxc:db', { cores: 2 })
      const denied = await world.request('pct_set', 'lxc:db', { cores: 4 })
      world.store.db.prepare(`UPDATE executions SET ${damage} WHERE state = 'awaiting_approval'`).run()
      const decide = ({ approvalId, hash }: typeof approved, decision: 'approve' | 'deny') =>
        world.executions.decide({ id: approvalId ?? '', hash, decision, route: 'chat' })
      expect(decide(approved, 'approve')).toMatchObject(recordDamaged)
      expect(good(world.executions.get(approved.id)).state).toBe('expired')
      expect(decide(denied, 'deny')).toMatchObject({ ok: true, value: { state: 'denied' } })
      // What it would have acted on cannot be read: no window is left open over it.
      expect(world.executions.window(world.session)).toBeNull()
      expect(await world.carryOut('pct_start', 'lxc:db')).toMatchObject({ state: 'succeeded' })
    }
  )

  it('of an execution that was approved and waits for its turn: it fails and nothing runs', async () => {
    const world = await someWorld()
    world.host.delay('pct-start', 2)
    const first = await world.request('pct_start', 'lxc:db')
    world.approve(first)
    const second = await world.request('pct_set', 'lxc:db', { cores: 2 })
    expect(second.state).toBe('approved')
    world.store.db.prepare(`UPDATE executions SET ${half('facts')} WHERE id = ?`).run(second.id)
    expect(await world.executions.settled(first.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(await world.executions.settled(second.id, 30_000)).toMatchObject({
      state: 'failed',
      error: { code: 'record_damaged' }
    })
    expect(world.host.jobs()).toEqual([first.id])
    expect(await world.executions.rerun(first.id, 'operator')).toMatchObject({ ok: true })
  })

  it('of one whose job runs: it is followed to its end, which proves nothing', async () => {
    const world = await someWorld()
    world.host.delay('pct-start', 1)
    const execution = await world.request('pct_start', 'lxc:db')
    world.approve(execution)
    await world.reaches(execution.id, 'running')
    for (const column of ['params', 'facts', 'commands'])
      world.store.db.prepare(`UPDATE executions SET ${half(column)}`).run()
    expect(await world.executions.settled(execution.id, 30_000)).toMatchObject({
      state: 'failed',
      exitCode: 0,
      error: { code: 'verification_failed', message: expect.stringContaining('damaged') as string }
    })
    expect(await world.executions.rerun(execution.id, 'operator')).toMatchObject(recordDamaged)
  })
})
