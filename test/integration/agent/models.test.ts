import { expect, test, vi } from 'vitest'
import { agentScene } from '../../support/agent'
import { calls, modelServer, says, type ModelServer } from '../../support/model-server'
import { toolPort } from '../../support/tool-port'

test('a session uses the model that was chosen for it, from the next turn on; others keep the default one', async () => {
  const usual = await modelServer(says('The usual one.'), says('The usual one again.'))
  const large = await modelServer(says('The large one.'))
  const scene = agentScene(usual, { models: { large } })
  scene.agent.send(scene.sessionId, 'who are you?')
  await scene.rests()
  expect(scene.agent.setModel(scene.sessionId, 'large')).toMatchObject({
    ok: true,
    value: { model: 'large' }
  })
  scene.agent.send(scene.sessionId, 'and now?')
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('The large one.')
  expect(large.requests[0]?.body.model).toBe('large')
  expect(scene.agent.setModel(scene.sessionId, null)).toMatchObject({ ok: true, value: { model: null } })
  scene.agent.send(scene.sessionId, 'and now?')
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('The usual one again.')
})

test('a session can begin with a model of its own, and not with one that is not set up', async () => {
  const usual = await modelServer()
  const large = await modelServer(says('The large one.'))
  const scene = agentScene(usual, { models: { large } })
  const made = scene.agent.createSession('large')
  if (!made.ok) throw new Error(made.error.message)
  expect(made.value.model).toBe('large')
  scene.agent.send(made.value.id, 'who are you?')
  await vi.waitFor(() => expect(large.requests).toHaveLength(1))
  expect(usual.requests).toHaveLength(0)
  expect(scene.agent.createSession('gone')).toMatchObject({ ok: false, error: { code: 'model_unknown' } })
  expect(scene.agent.listSessions()).toHaveLength(2)
})

test('a model that is not set up cannot be chosen', async () => {
  const scene = agentScene(await modelServer())
  expect(scene.agent.setModel(scene.sessionId, 'large')).toMatchObject({
    ok: false,
    error: { code: 'model_unknown' }
  })
  expect(scene.page().session.model).toBeNull()
})

test('a chosen model that is gone is told in words, and nothing is sent to another one', async () => {
  const usual = await modelServer(says('The usual one.'))
  const models: Record<string, ModelServer> = { large: await modelServer() }
  const scene = agentScene(usual, { models })
  scene.agent.setModel(scene.sessionId, 'large')
  delete models['large']
  scene.agent.send(scene.sessionId, 'hello')
  await scene.rests()
  expect(scene.answer().parts).toMatchObject([
    { type: 'notice', offers: ['usual_model', 'settings'], error: { code: 'model_unknown' } }
  ])
  expect(usual.requests).toHaveLength(0)
  // What the first offer does.
  expect(scene.agent.setModel(scene.sessionId, null).ok).toBe(true)
  expect(scene.agent.retry(scene.sessionId).ok).toBe(true)
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('The usual one.')
})

test('switching the model in the middle of a turn concerns the next one: this turn ends with the model it began with', async () => {
  let release: () => void = () => undefined
  const port = toolPort({
    list_lxcs: { run: () => new Promise((resolve) => (release = () => resolve({ text: '3 containers' }))) }
  })
  const usual = await modelServer(calls([{ name: 'list_lxcs' }]), says('Three, says the usual one.'))
  const models: Record<string, ModelServer> = { large: await modelServer(says('Three, says the large one.')) }
  const scene = agentScene(usual, { models, port })
  scene.agent.send(scene.sessionId, 'how many?')
  await vi.waitFor(() => expect(port.calls).toHaveLength(1))
  expect(scene.agent.setModel(scene.sessionId, 'large').ok).toBe(true)
  scene.agent.send(scene.sessionId, 'and now?')
  release()
  await scene.rests()
  const answers = scene.messages().filter(({ role }) => role === 'assistant')
  expect(answers.map(scene.textOf)).toEqual(['Three, says the usual one.', 'Three, says the large one.'])
  // The next model is given a history that holds together: the call with its result, and both messages.
  const sent = models['large']?.requests[0]?.body.messages ?? []
  expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
})
