import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src-main/base/clock'
import type { ApprovalView, ExecutionView } from '../../../src-preload/contract'
import { good, openWorld, type World } from './world'

const minute = 60_000

/** A clock that the test moves. */
function movableClock(): Clock & { move(ms: number): void } {
  let offset = 0
  return { now: () => Date.now() + offset, move: (ms) => (offset += ms) }
}

async function caddyWorld(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld(options)
  world.host.addContainer(200, 'caddy', 'running')
  world.host.addContainer(201, 'db', 'stopped')
  world.host.writeInside(200, '/units/caddy', 'active')
  return world
}

const restart = (world: World, more: { tainted?: boolean } = {}) =>
  world.request('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' }, more)

const approvalOf = (world: World, execution: ExecutionView): ApprovalView =>
  good(world.executions.approval(execution.approvalId ?? ''))

describe('a decision', () => {
  it('B14: is taken once; the second, over any route, is told how it was decided', async () => {
    const world = await caddyWorld()
    const { id, hash } = approvalOf(world, await restart(world))
    expect(good(world.executions.decide({ id, hash, decision: 'approve', route: 'ops' }))).toMatchObject({
      state: 'approved',
      route: 'ops'
    })
    for (const decision of ['approve', 'deny'] as const)
      expect(world.executions.decide({ id, hash, decision, route: 'notification' })).toMatchObject({
        ok: false,
        error: { code: 'approval_decided', data: { state: 'approved', route: 'ops' } }
      })
    expect(
      world.executions.audit.list({ limit: 50 }).filter((entry) => entry.kind === 'approval.refused')
    ).toHaveLength(2)
  })

  it('B13: with another hash, or for something that does not wait, decides nothing and is audited', async () => {
    const world = await caddyWorld()
    const execution = await restart(world)
    const { id } = approvalOf(world, execution)
    expect(
      world.executions.decide({ id, hash: 'f'.repeat(64), decision: 'approve', route: 'chat' })
    ).toMatchObject({
      ok: false,
      error: { code: 'approval_changed' }
    })
    expect(
      world.executions.decide({ id: execution.id, hash: execution.hash, decision: 'approve', route: 'chat' })
    ).toMatchObject({
      ok: false,
      error: { code: 'approval_not_found' }
    })
    expect(good(world.executions.get(execution.id)).state).toBe('awaiting_approval')
    expect(world.executions.audit.list({ limit: 1 })[0]).toMatchObject({
      kind: 'approval.refused',
      subject: id
    })
  })

  it('B14: after its time is refused; the execution has expired', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    const execution = await restart(world)
    const { id, hash } = approvalOf(world, execution)
    clock.move(61 * minute)
    expect(world.executions.decide({ id, hash, decision: 'approve', route: 'chat' })).toMatchObject({
      ok: false,
      error: { code: 'approval_expired' }
    })
    expect(good(world.executions.get(execution.id)).state).toBe('expired')
    expect(world.host.jobs()).toEqual([])
  })

  it('F12: a night of sleep expires what waited and ends the window', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    expect(world.executions.window(world.session)).not.toBeNull()
    const waiting = await world.request('pct_start', 'lxc:db')
    clock.move(8 * 60 * minute)
    world.executions.wake()
    expect(good(world.executions.get(waiting.id)).state).toBe('expired')
    expect(world.executions.window(world.session)).toBeNull()
    expect((await restart(world)).state).toBe('awaiting_approval')
  })

  it('a clock that was set back expires what was asked later', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    const execution = await restart(world)
    clock.move(-10 * minute)
    world.executions.wake()
    expect(good(world.executions.get(execution.id)).state).toBe('expired')
  })

  it('to deny carries its reason to the agent and runs nothing', async () => {
    const world = await caddyWorld()
    const execution = await restart(world)
    const { id, hash } = approvalOf(world, execution)
    good(world.executions.decide({ id, hash, decision: 'deny', route: 'chat', reason: 'not during the day' }))
    expect(good(world.executions.get(execution.id)).state).toBe('denied')
    expect(world.note(id)).toBe(
      `execution ${execution.id} (systemctl lxc:caddy) was denied by the operator: not during the day`
    )
    expect(world.note(execution.id)).toBeNull()
    expect(world.host.jobs()).toEqual([])
  })

  it('is void when the host key has changed', async () => {
    const world = await caddyWorld()
    const execution = await restart(world)
    world.config.update({
      hosts: [world.host.sshd.hostConfig('strong', { hostKey: `SHA256:${'A'.repeat(43)}` })]
    })
    const { id, hash } = approvalOf(world, execution)
    expect(world.executions.decide({ id, hash, decision: 'approve', route: 'chat' })).toMatchObject({
      ok: false,
      error: {
        code: 'approval_expired',
        message: expect.stringContaining('its key or its user has changed') as string
      }
    })
    expect(world.host.jobs()).toEqual([])
  })
})

describe('what destroys', () => {
  it('asks on its own, by name, also while a window is open', async () => {
    const world = await caddyWorld()
    await world.carryOut('pct_start', 'lxc:db')
    await world.carryOut('pct_shutdown', 'lxc:db')
    const execution = await world.request('pct_destroy', 'lxc:db')
    expect(execution).toMatchObject({ state: 'awaiting_approval', risk: 'destructive' })
    const approval = approvalOf(world, execution)
    expect(approval.confirmName).toBe('db')
    expect(world.executions.assent(world.session, 'go ahead')).toBeNull()
    const decide = (confirmName?: string) =>
      world.executions.decide({
        id: approval.id,
        hash: approval.hash,
        decision: 'approve',
        route: 'chat',
        ...(confirmName !== undefined && { confirmName })
      })
    for (const wrong of [undefined, 'caddy', ''])
      expect(decide(wrong)).toMatchObject({ ok: false, error: { code: 'confirm_name_wrong' } })
    good(decide('db'))
    expect(await world.executions.settled(execution.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(world.host.status(201)).toBeNull()
  })

  it('is refused while it runs, saying what to do first', async () => {
    const world = await caddyWorld()
    const refused = await world.executions.request({
      action: 'pct_destroy',
      target: 'lxc:caddy',
      params: {},
      why: '',
      origin: 'agent',
      sessionId: world.session
    })
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'guest_running', hint: 'Request pct_shutdown lxc:200 first, then pct_destroy again.' }
    })
    expect(world.executions.list({}).total).toBe(0)
  })

  it('fails when it was started again meanwhile, and says so', async () => {
    const world = await caddyWorld()
    const execution = await world.request('pct_destroy', 'lxc:db')
    world.host.addContainer(201, 'db', 'running')
    world.approve(execution)
    const ended = await world.executions.settled(execution.id, 30_000)
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'guest_running' } })
    expect(world.note(execution.id)).toContain('failed: db (201) on strong is running')
    expect(world.host.calls(/^pct destroy/)).toEqual([])
  })
})

describe('the assent window', () => {
  it('covers what is in its scope, shown as such, and nothing else', async () => {
    const world = await caddyWorld()
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    const covered = await world.request('pct_set', 'lxc:200', { memoryMiB: 1024 })
    expect(covered.state).toBe('approved')
    expect(approvalOf(world, covered)).toMatchObject({ state: 'approved', route: 'window' })
    expect((await world.executions.settled(covered.id, 30_000)).state).toBe('succeeded')
    expect((await world.request('pct_start', 'lxc:db')).state).toBe('awaiting_approval')
  })

  it('is the session’s own', async () => {
    const world = await caddyWorld()
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    const other = await world.executions.request({
      action: 'pct_set',
      target: 'lxc:caddy',
      params: { cores: 2 },
      why: '',
      origin: 'mcp',
      sessionId: null
    })
    expect(good(other).state).toBe('awaiting_approval')
  })

  it('B21, B23: gives no new approval to a turn that has read a web page', async () => {
    const world = await caddyWorld()
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    expect((await restart(world, { tainted: true })).state).toBe('awaiting_approval')
  })

  it('closes when something in it is denied, and when the operator ends it', async () => {
    const world = await caddyWorld()
    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    const asks = await world.request('pct_stop', 'lxc:caddy')
    const { id, hash } = approvalOf(world, asks)
    good(world.executions.decide({ id, hash, decision: 'deny', route: 'tray' }))
    expect(world.executions.window(world.session)).toBeNull()

    await world.carryOut('systemctl', 'lxc:caddy', { verb: 'restart', unit: 'caddy' })
    const window = world.executions.window(world.session)
    good(world.executions.endWindow(window?.id ?? '', 'Ended by the operator.'))
    expect(world.executions.windows()).toEqual([])
    expect((await restart(world)).state).toBe('awaiting_approval')
  })

  it('"allow exactly this" is shown with its end, can be ended by hand, and ends by itself; each is recorded', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    const allow = async () => {
      const asks = await restart(world, { tainted: true })
      const { id, hash } = approvalOf(world, asks)
      good(world.executions.decide({ id, hash, decision: 'approve', route: 'ops', allowMinutes: 30 }))
      await world.executions.settled(asks.id, 30_000)
      return id
    }
    const id = await allow()
    const [allowance] = world.executions.allowances()
    expect(allowance).toMatchObject({
      id,
      target: 'lxc:caddy',
      title: 'Restart caddy in caddy (200) on strong'
    })
    const left = (allowance?.expiresAt ?? 0) - clock.now()
    expect([left > 29 * minute, left <= 30 * minute]).toEqual([true, true])
    const covered = await restart(world, { tainted: true })
    expect(approvalOf(world, covered).rule).toContain('You allowed exactly this until')
    await world.executions.settled(covered.id, 30_000)
    good(world.executions.endAllowance(id))
    expect(world.executions.allowances()).toEqual([])
    expect(world.executions.endAllowance(id)).toMatchObject({ error: { code: 'allowance_not_found' } })

    await allow()
    clock.move(31 * 60_000)
    world.executions.wake()
    expect(world.executions.allowances()).toEqual([])
    expect((await restart(world, { tainted: true })).state).toBe('awaiting_approval')
    const kinds = world.executions.audit.list({ query: 'allowance', limit: 50 }).map((entry) => entry.kind)
    expect(kinds).toEqual(['allowance.ended', 'allowance.given', 'allowance.ended', 'allowance.given'])
    expect(world.events.filter((event) => event.type === 'allowance.changed')).toHaveLength(4)
  })

  it('"allow exactly this" needs no new approval for the same again, and only for the same', async () => {
    const world = await caddyWorld()
    const first = await restart(world)
    const { id, hash } = approvalOf(world, first)
    good(world.executions.decide({ id, hash, decision: 'approve', route: 'ops', allowMinutes: 30 }))
    await world.executions.settled(first.id, 30_000)
    expect((await restart(world, { tainted: true })).state).toBe('approved')
    const other = await world.request(
      'systemctl',
      'lxc:caddy',
      { verb: 'reload', unit: 'caddy' },
      { tainted: true }
    )
    expect(other.state).toBe('awaiting_approval')
  })
})

describe('"allow exactly this" outside of any session', () => {
  const ask = async (world: World, origin: 'operator' | 'mcp' | 'signal') =>
    good(
      await world.executions.request({
        ...{ action: 'systemctl', target: 'lxc:caddy', params: { verb: 'restart', unit: 'caddy' }, why: '' },
        ...{ origin, sessionId: null, tainted: origin === 'mcp' }
      })
    )

  it.each(['mcp', 'signal'] as const)(
    'allows the operator what it does not allow to what comes from %s',
    async (origin) => {
      const world = await caddyWorld()
      const first = await ask(world, 'operator')
      const { id, hash } = approvalOf(world, first)
      good(world.executions.decide({ id, hash, decision: 'approve', route: 'ops', allowMinutes: 30 }))
      await world.executions.settled(first.id, 30_000)
      const again = await ask(world, 'operator')
      expect(again.state).toBe('approved')
      await world.executions.settled(again.id, 30_000)
      expect((await ask(world, origin)).state).toBe('awaiting_approval')
    }
  )

  it('A6: ends when the clock is set back to before it was given', async () => {
    const clock = movableClock()
    const world = await caddyWorld({ clock })
    const first = await ask(world, 'operator')
    const { id, hash } = approvalOf(world, first)
    good(world.executions.decide({ id, hash, decision: 'approve', route: 'ops', allowMinutes: 30 }))
    await world.executions.settled(first.id, 30_000)
    clock.move(-8 * 60 * minute)
    expect((await ask(world, 'operator')).state).toBe('awaiting_approval')
    world.executions.wake()
    expect(world.executions.allowances()).toEqual([])
  })
})

describe('policies', () => {
  it('deny wins, and says which rule', async () => {
    const world = await caddyWorld({
      config: { policies: [{ target: 'lxc:caddy', decision: 'deny' }, { decision: 'allow' }] }
    })
    const refused = await world.executions.request({
      action: 'pct_reboot',
      target: 'lxc:200',
      params: {},
      why: '',
      origin: 'agent',
      sessionId: world.session
    })
    expect(refused).toMatchObject({ ok: false, error: { code: 'policy_denied' } })
    expect(!refused.ok && refused.error.message).toContain('Your rule: deny everything on lxc:caddy')
  })

  it('A8: deny written while an approval waits holds, whatever is approved then', async () => {
    const world = await caddyWorld()
    const asks = await restart(world)
    world.config.update({ policies: [{ target: 'lxc:caddy', decision: 'deny' }] })
    world.approve(asks)
    const ended = await world.executions.settled(asks.id, 30_000)
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'policy_denied' } })
    expect(ended.error?.message).toContain('Your rule: deny everything on lxc:caddy')
    expect(world.host.jobs()).toEqual([])
  })

  it('a rule that allows, written while an approval waits, approves nothing by itself', async () => {
    const world = await caddyWorld()
    const asks = await restart(world)
    world.config.update({ policies: [{ decision: 'allow' }] })
    world.executions.wake()
    expect(good(world.executions.get(asks.id)).state).toBe('awaiting_approval')
  })

  it('allow runs it at once, ask asks although a window is open', async () => {
    const world = await caddyWorld({ config: { policies: [{ risk: 'service_action', decision: 'allow' }] } })
    const allowed = await restart(world)
    expect(approvalOf(world, allowed)).toMatchObject({ state: 'approved', route: 'policy' })
    await world.executions.settled(allowed.id, 30_000)
    world.config.update({ policies: [{ target: 'lxc:caddy', decision: 'ask' }] })
    await world.carryOut('pct_set', 'lxc:caddy', { cores: 2 })
    expect((await restart(world)).state).toBe('awaiting_approval')
  })
})

describe('plans', () => {
  const steps = [
    {
      action: 'pct_create',
      target: 'lxc:typetype@strong',
      params: { memoryMiB: 1024 },
      why: 'a home for it'
    },
    {
      action: 'pct_push',
      target: 'lxc:typetype',
      params: { path: '/etc/app.conf', content: 'x=1\n' },
      why: ''
    },
    { action: 'systemctl', target: 'lxc:caddy', params: { verb: 'reload', unit: 'caddy' }, why: '' }
  ]
  const propose = async (world: World, wanted = steps) =>
    good(
      await world.executions.proposePlan({
        sessionId: world.session,
        title: 'Deploy TypeType',
        summary: 'all of it',
        steps: wanted
      })
    )
  const step = (world: World, planId: string, n: number, tainted = false) =>
    world.executions.requestPlanStep({ sessionId: world.session, planId, step: n, tainted })

  it('are preflighted as a whole: later steps see what earlier ones create', async () => {
    const world = await caddyWorld()
    const plan = await propose(world)
    expect(plan.steps.map(({ index, title }) => `${index} ${title}`)).toEqual([
      '1 Create container typetype (100) on strong',
      '2 Write /etc/app.conf in container typetype (100) on strong',
      '3 Reload caddy in caddy (200) on strong'
    ])
    expect(plan).toMatchObject({ state: 'awaiting_approval' })
    expect(await step(world, plan.id, 1)).toMatchObject({ ok: false, error: { code: 'plan_not_approved' } })
    expect(world.host.jobs()).toEqual([])
  })

  it('approved by typed assent run step by step, also in a turn that has read a web page', async () => {
    const world = await caddyWorld()
    const plan = await propose(world)
    expect(world.executions.assent(world.session, 'go ahead but with 4 cores')).toBeNull()
    const assented = world.executions.assent(world.session, 'run all yourself')
    expect(assented).toMatchObject({ ok: true, value: [{ route: 'chat_assent', state: 'approved' }] })
    expect(world.note(plan.approvalId)).toBeNull()
    expect(world.executions.window(world.session)?.scope).toEqual([
      'lxc:typetype',
      'lxc:100',
      'lxc:caddy',
      'lxc:200'
    ])

    expect(await step(world, plan.id, 2)).toMatchObject({ ok: false, error: { code: 'plan_step_early' } })
    for (const n of [1, 2, 3]) {
      const requested = good(await step(world, plan.id, n, true))
      expect(approvalOf(world, requested)).toMatchObject({ route: 'plan', state: 'approved' })
      expect(await world.executions.settled(requested.id, 30_000)).toMatchObject({
        state: 'succeeded',
        planStep: n
      })
    }
    expect(await step(world, plan.id, 3)).toMatchObject({ ok: false, error: { code: 'plan_step_done' } })
    const ran = good(world.executions.plan(plan.id)).steps.map((each) => each.executionId ?? '')
    expect(world.note(ran[0] ?? '')).toContain(
      `step 1 of 3 of the plan) succeeded: typetype (100) on strong exists and is running.\n` +
        `Next in plan ${plan.id}: step 2, Write /etc/app.conf`
    )
    expect(world.note(ran[2] ?? '')).toContain(`That was the last step of plan ${plan.id}.`)
    const done = good(world.executions.plan(plan.id))
    expect(done.steps.map((each) => each.executionState)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })

  it('approved by a button leave a row that starts the agent', async () => {
    const world = await caddyWorld()
    const plan = await propose(world)
    good(
      world.executions.decide({ id: plan.approvalId, hash: plan.hash, decision: 'approve', route: 'chat' })
    )
    expect(world.note(plan.approvalId)).toBe(
      `plan ${plan.id} "Deploy TypeType" was approved by the operator; carry it out, beginning with step 1`
    )
  })

  it('denied run nothing and tell why', async () => {
    const world = await caddyWorld()
    const plan = await propose(world)
    good(
      world.executions.decide({
        id: plan.approvalId,
        hash: plan.hash,
        decision: 'deny',
        route: 'chat',
        reason: 'use db'
      })
    )
    expect(world.note(plan.approvalId)).toBe(
      `plan ${plan.id} "Deploy TypeType" was denied by the operator: use db`
    )
    expect(await step(world, plan.id, 1)).toMatchObject({ ok: false, error: { code: 'plan_not_approved' } })
  })

  it('a step that failed is done again under the window, not under the plan', async () => {
    const world = await caddyWorld()
    world.host.writeInside(200, '/apt-locks', '1')
    const plan = await propose(world, [
      { action: 'apt_upgrade', target: 'lxc:caddy', params: {} as never, why: '' }
    ])
    world.executions.assent(world.session, 'go ahead')
    const first = good(await step(world, plan.id, 1))
    expect(await world.executions.settled(first.id, 30_000)).toMatchObject({
      state: 'failed',
      error: { code: 'apt_locked' }
    })
    const again = await world.request('apt_upgrade', 'lxc:caddy')
    expect(again).toMatchObject({ planId: plan.id, planStep: 1 })
    expect(approvalOf(world, again)).toMatchObject({ route: 'window' })
    expect(await world.executions.settled(again.id, 30_000)).toMatchObject({ state: 'succeeded' })
    expect(good(world.executions.plan(plan.id)).steps[0]?.executionState).toBe('succeeded')
  })

  it('a destructive step asks on its own, and the plan is not approved by typed assent', async () => {
    const world = await caddyWorld()
    const plan = await propose(world, [
      { action: 'pct_shutdown', target: 'lxc:caddy', params: {} as never, why: '' },
      { action: 'pct_destroy', target: 'lxc:caddy', params: {} as never, why: '' }
    ])
    expect(world.executions.assent(world.session, 'go ahead')).toBeNull()
    good(
      world.executions.decide({ id: plan.approvalId, hash: plan.hash, decision: 'approve', route: 'chat' })
    )
    const first = good(await step(world, plan.id, 1))
    await world.executions.settled(first.id, 30_000)
    const second = good(await step(world, plan.id, 2))
    expect(second).toMatchObject({ state: 'awaiting_approval', risk: 'destructive' })
    const { id, hash } = approvalOf(world, second)
    good(world.executions.decide({ id, hash, decision: 'deny', route: 'chat' }))
    expect(await step(world, plan.id, 2)).toMatchObject({ ok: false, error: { code: 'plan_stopped' } })
  })

  it('a step that cannot work is named', async () => {
    const world = await caddyWorld()
    const proposed = await world.executions.proposePlan({
      sessionId: world.session,
      title: 'x',
      summary: '',
      steps: [...steps, { action: 'pct_start', target: 'lxc:nobody', params: {}, why: '' }]
    })
    expect(proposed).toMatchObject({ ok: false, error: { code: 'target_not_found', data: { step: 4 } } })
  })
})
