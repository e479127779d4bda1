import { expect, test, vi } from 'vitest'
import { coreInTheLab, lastWords, sessionIn } from '../../support/lab-core'

test('a change is asked for, assented to in words, carried out, and its result continues by itself', async () => {
  const core = await coreInTheLab()
  const { id, page, becomes } = sessionIn(core)

  core.agent.send(id, 'restart caddy')
  await becomes('waiting')
  expect(page().approvals).toMatchObject([{ state: 'awaiting_approval', risk: 'service_action' }])

  core.agent.send(id, 'go ahead')
  const told = () => core.store.db.prepare('SELECT state FROM continuations').pluck().all()
  // The result is told once: by a continuation, or by the running turn when it asks after the execution itself.
  await vi.waitFor(() => expect(told()).toEqual(['delivered']), { timeout: 30_000, interval: 20 })
  await becomes('idle')
  const after = page()
  expect(after.approvals).toMatchObject([{ state: 'approved', route: 'chat_assent' }])
  expect(after.executions).toMatchObject([{ action: 'systemctl', state: 'succeeded' }])
  expect(after.messages.filter((message) => message.role === 'user')).toHaveLength(2)
  expect(after.messages.every((message) => message.state === 'done' && message.parts.length > 0)).toBe(true)
  expect(lastWords(after.messages)).toMatch(/caddy/)
})

test('a fleet scan that begins container by container is told the bulk call and takes at most 4 calls', async () => {
  const session = sessionIn(await coreInTheLab())
  await session.say('fleet scan: go through the containers one after the other')
  const { toolCalls, messages } = session.page()
  expect(toolCalls.map(({ name }) => name)).toEqual([
    'get_lxc_state',
    'get_lxc_state',
    'get_lxc_state',
    'list_lxcs'
  ])
  expect(toolCalls.every(({ state }) => state === 'done')).toBe(true)
  expect(lastWords(messages)).toContain('4 calls')
})

test('F45 Stop ends the model call at once and leaves the job running, which can still be cancelled', async () => {
  const core = await coreInTheLab()
  const { id, page, becomes } = sessionIn(core)
  const asked = await core.executions.request({
    ...{
      action: 'run',
      target: 'host:strong',
      params: { command: 'touch /tmp/here && sleep 600' },
      why: 'a long job'
    },
    ...{ origin: 'agent', sessionId: id }
  })
  if (!asked.ok) throw new Error(asked.error.message)
  const [approval] = core.executions.waitingApprovals()
  if (!approval) throw new Error('nothing waits')
  core.executions.decide({ id: approval.id, hash: approval.hash, decision: 'approve', route: 'chat' })
  const state = () => page().executions.find((execution) => execution.id === asked.value.id)?.state
  await vi.waitFor(() => expect(state()).toBe('running'), { timeout: 20_000 })

  core.agent.send(id, 'what is running? answer slowly')
  await becomes('running')
  core.agent.stop(id)
  await vi.waitFor(() => expect(page().messages.at(-1)).toMatchObject({ role: 'assistant', state: 'done' }))
  expect(page().messages.at(-1)?.parts).toMatchObject([{ type: 'notice', error: { code: 'turn_stopped' } }])
  expect(state()).toBe('running')

  const cancelled = await core.executions.cancel(asked.value.id)
  expect(cancelled.ok).toBe(true)
  await vi.waitFor(() => expect(state()).toBe('cancelled'), { timeout: 20_000 })
})
