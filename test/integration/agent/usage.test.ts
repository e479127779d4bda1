import { expect, test } from 'vitest'
import { agentScene } from '../../support/agent'
import { modelServer, saysCounted } from '../../support/model-server'

const counts = (prompt: number, completion: number, more: Record<string, unknown> = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more
})

test('tokens, what the cache held and the cost are summed up over a session; the context is that of the newest answer', async () => {
  const server = await modelServer(
    saysCounted('One.', counts(1000, 50, { cost: 0.0125, prompt_tokens_details: { cached_tokens: 600 } })),
    saysCounted('Two.', counts(1200, 30, { cost: 0.01 }))
  )
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'first')
  await scene.rests()
  scene.agent.send(scene.sessionId, 'second')
  await scene.rests()
  const usage = {
    inputTokens: 2200,
    outputTokens: 80,
    cachedTokens: 600,
    cost: 0.0225,
    contextTokens: 1230,
    estimated: false
  }
  expect(scene.page().usage).toEqual(usage)
  expect(scene.events.findLast(({ type }) => type === 'usage.changed')).toEqual({
    type: 'usage.changed',
    sessionId: scene.sessionId,
    usage
  })
})

test('a service that tells no cost has none, and one that does not count gets its context reckoned', async () => {
  const server = await modelServer(saysCounted('One.', counts(1000, 50)), saysCounted('Two.', null))
  const scene = agentScene(server)
  expect(scene.page().usage).toMatchObject({ inputTokens: 0, contextTokens: null, cost: null })
  scene.agent.send(scene.sessionId, 'first')
  await scene.rests()
  expect(scene.page().usage).toMatchObject({ contextTokens: 1050, estimated: false, cost: null })
  scene.agent.send(scene.sessionId, 'second')
  await scene.rests()
  const { contextTokens, estimated, inputTokens } = scene.page().usage
  expect({ estimated, inputTokens }).toEqual({ estimated: true, inputTokens: 1000 })
  expect(contextTokens).toBeGreaterThan(5)
})

test.each([
  ['negative', counts(-5, -7, { cost: -1 })],
  ['words', { prompt_tokens: 'many', completion_tokens: null, cost: 'free' }]
])('counts that are %s leave the answer and a valid sum', async (_, told) => {
  const server = await modelServer(saysCounted('Still here.', told))
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'hi')
  await scene.rests()
  const { usage } = scene.page()
  expect(usage.cost).toBeNull()
  for (const value of [usage.inputTokens, usage.outputTokens, usage.contextTokens ?? 0])
    expect(value).toBeGreaterThanOrEqual(0)
  expect(scene.textOf(scene.answer())).toContain('Still here.')
})

test('a session knows how much it holds, and deleting it takes all of it away', async () => {
  const server = await modelServer(saysCounted('x'.repeat(5000), null))
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'a long one')
  await scene.rests()
  expect(scene.page().session.bytes).toBeGreaterThanOrEqual(5000)
  expect(scene.page().session.bytes).toBeLessThan(6000)
  await scene.agent.remove(scene.sessionId)
  expect(scene.agent.listSessions()).toEqual([])
})
