import { describe, expect, it } from 'vitest'
import { good, openWorld, type World, type WorldOptions } from './world'

const create = 'lxc:typetype@strong'
const alwaysAsk: WorldOptions = {
  config: { policies: [{ risk: 'config_mutation', decision: 'ask' }] }
}

/** Approved, and the VMID of the card belongs to somebody else before it is used. */
async function takenMeanwhile(world: World, params: Record<string, unknown> = {}) {
  const asked = await world.request('pct_create', create, params)
  world.host.addContainer(asked.vmid ?? 0, 'somebody', 'stopped')
  world.approve(asked)
  return world.executions.settled(asked.id, 30_000)
}

/** What was requested by itself in its place. */
const next = (world: World, id: string) =>
  world.executions.list({}).executions.find((execution) => execution.retryOf === id)

describe('a VMID that was taken between the card and its use', () => {
  it('is replaced by the next free one, under the window that the approval has opened', async () => {
    const world = await openWorld()
    const first = await takenMeanwhile(world)
    expect(first).toMatchObject({ state: 'failed', vmid: 100, error: { code: 'vmid_taken' } })
    const second = next(world, first.id)
    if (!second) throw new Error('nothing was requested again')
    expect(await world.executions.settled(second.id, 30_000)).toMatchObject({ state: 'succeeded', vmid: 101 })
    expect(good(world.executions.approval(second.approvalId ?? '')).route).toBe('window')
    expect(world.note(first.id)).toContain(`requested again by itself as execution ${second.id}`)
    expect(world.host.calls(/^pct create/)).toEqual([expect.stringContaining('pct create 101 ') as string])
  })

  it('asks anew by itself where a rule wants to be asked, and runs only what is approved then', async () => {
    const world = await openWorld(alwaysAsk)
    const first = await takenMeanwhile(world)
    const second = next(world, first.id)
    if (!second) throw new Error('nothing was requested again')
    expect(second).toMatchObject({
      state: 'awaiting_approval',
      vmid: 101,
      title: expect.stringContaining('101')
    })
    expect(second.hash).not.toBe(first.hash)
    expect(first.error?.hint).toContain('waits for approval')
    expect(world.host.jobs()).toEqual([])
    world.approve(second)
    expect(await world.executions.settled(second.id, 30_000)).toMatchObject({ state: 'succeeded' })
  })

  it('is noticed by Proxmox too, when the job is on its way already', async () => {
    const world = await openWorld()
    world.host.failNext('pct-create', "unable to create CT 100 - CT 100 already exists on node 'strong'")
    const first = await world.carryOut('pct_create', create)
    expect(first).toMatchObject({ state: 'failed', error: { code: 'vmid_taken' } })
    const second = next(world, first.id)
    expect(await world.executions.settled(second?.id ?? '', 30_000)).toMatchObject({ state: 'succeeded' })
  })

  it('is not replaced when somebody asked for that very number', async () => {
    const world = await openWorld()
    const first = await takenMeanwhile(world, { vmid: 150 })
    expect(first).toMatchObject({ state: 'failed', error: { code: 'vmid_taken' } })
    expect(next(world, first.id)).toBeUndefined()
  })

  it('is replaced in its plan, which goes on with the new one', async () => {
    const world = await openWorld()
    const steps = [
      { action: 'pct_create', target: create, params: {}, why: '' },
      {
        action: 'pct_exec',
        target: 'lxc:typetype',
        params: { command: ['mkdir', '-p', world.home] },
        why: ''
      }
    ]
    const plan = good(
      await world.executions.proposePlan({ sessionId: world.session, title: 'deploy', summary: '', steps })
    )
    world.executions.assent(world.session, 'run all yourself')
    const vmid = Number(plan.steps[0]?.commands[0]?.argv[2])
    world.host.addContainer(vmid, 'somebody', 'stopped')
    const step = async (index: number) =>
      good(
        await world.executions.requestPlanStep({
          ...{ sessionId: world.session, planId: plan.id, step: index, tainted: false }
        })
      )
    const first = await step(1)
    expect(first).toMatchObject({ state: 'approved', vmid: 101, planStep: 1 })
    expect(await world.executions.settled(first.id, 30_000)).toMatchObject({ state: 'succeeded' })
    const last = await step(2)
    expect(await world.executions.settled(last.id, 30_000)).toMatchObject({ state: 'succeeded' })
  })

  it('is replaced in its plan when it is noticed only when it is used', async () => {
    const world = await openWorld()
    const steps = [{ action: 'pct_create', target: create, params: {}, why: '' }]
    const plan = good(
      await world.executions.proposePlan({ sessionId: world.session, title: 'deploy', summary: '', steps })
    )
    world.executions.assent(world.session, 'run all yourself')
    world.host.failNext('pct-create', "unable to create CT 100 - CT 100 already exists on node 'strong'")
    const { session: sessionId } = world
    const first = good(
      await world.executions.requestPlanStep({ sessionId, planId: plan.id, step: 1, tainted: false })
    )
    await world.executions.settled(first.id, 30_000)
    const second = next(world, first.id)
    expect(await world.executions.settled(second?.id ?? '', 30_000)).toMatchObject({ state: 'succeeded' })
    expect(good(world.executions.plan(plan.id)).steps[0]).toMatchObject({ executionId: second?.id })
  })

  it('B23: is not replaced unasked for a turn that had read a page: no window covers the new request', async () => {
    const world = await openWorld()
    const steps = [{ action: 'pct_create', target: create, params: { start: false }, why: '' }]
    const { session: sessionId } = world
    const plan = good(await world.executions.proposePlan({ sessionId, title: 'deploy', summary: '', steps }))
    world.executions.assent(sessionId, 'run all yourself')
    world.host.failNext('pct-create', "unable to create CT 100 - CT 100 already exists on node 'strong'")
    const first = good(
      await world.executions.requestPlanStep({ sessionId, planId: plan.id, step: 1, tainted: true })
    )
    expect(first.state).toBe('approved')
    await world.executions.settled(first.id, 30_000)
    const second = next(world, first.id)
    expect(second?.state).toBe('awaiting_approval')
    // The one after that is no less of the page.
    world.host.addContainer(second?.vmid ?? 0, 'somebody', 'stopped')
    if (second) world.approve(second)
    await world.executions.settled(second?.id ?? '', 30_000)
    expect(next(world, second?.id ?? '')?.state).toBe('awaiting_approval')
  })

  it('is given up after three requests by itself', async () => {
    const world = await openWorld(alwaysAsk)
    let last = await takenMeanwhile(world)
    for (const vmid of [101, 102, 103]) {
      const again = next(world, last.id)
      if (!again) throw new Error(`nothing was requested again before ${vmid}`)
      world.host.addContainer(again.vmid ?? 0, `somebody${vmid}`, 'stopped')
      world.approve(again)
      last = await world.executions.settled(again.id, 30_000)
    }
    expect(last.error?.code).toBe('vmid_taken')
    expect(next(world, last.id)).toBeUndefined()
  })
})
