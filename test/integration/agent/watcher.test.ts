import { expect, test, vi } from 'vitest'
import { agentScene, type AgentScene } from '../../support/agent'
import { calls, delta, empty, event, hangsAfter, modelServer, says, textOf } from '../../support/model-server'
import { approvalView } from '../../support/table-executions'

/** Another session is seen to wait: then everything that woke the watcher before has been looked at. */
async function theWatcherHasLooked(scene: AgentScene): Promise<void> {
  const other = scene.agent.createSession()
  if (!other.ok) throw new Error(other.error.message)
  scene.tables.asks(other.value.id)
  const state = () => scene.agent.listSessions().find((session) => session.id === other.value.id)?.state
  await vi.waitFor(() => expect(state()).toBe('waiting'))
}

test('a result in an open window starts a continuation: a placeholder at once, then the answer in it', async () => {
  const server = await modelServer(calls([{ name: 'look' }]), says('The container runs.'))
  const scene = agentScene(server, { tools: { look: { run: () => ({ text: 'running' }) } } })
  scene.tables.openWindow(scene.sessionId)
  const id = scene.tables.ends(scene.sessionId, 'succeeded')
  await scene.rests()
  expect(scene.answer()).toMatchObject({
    kind: 'continuation',
    state: 'done',
    parts: [{ type: 'tool_call' }, { type: 'text' }]
  })
  const first = scene.events.find((each) => each.type === 'message.changed')
  expect(first).toMatchObject({ message: { kind: 'continuation', state: 'streaming', parts: [] } })
  expect(server.requests[0]?.last).toContain(`execution ${id} (pct_create lxc:typetype) succeeded`)
  expect(server.requests[0]?.last).toContain('no human input has occurred')
  expect(scene.messages().filter((message) => message.role === 'user')).toEqual([])
  expect(scene.tables.executions.window(scene.sessionId)?.continuations).toBe(1)
})

test('F51: results that arrive together are one continuation, in order, none lost', async () => {
  const server = await modelServer(says('Both are done.'))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  const one = scene.tables.ends(scene.sessionId, 'succeeded', { target: 'lxc:one' })
  const two = scene.tables.ends(scene.sessionId, 'failed', { target: 'lxc:two' })
  await scene.rests()
  expect(server.requests).toHaveLength(1)
  const told = server.requests[0]?.last ?? ''
  expect(told.indexOf(one)).toBeGreaterThan(0)
  expect(told.indexOf(two)).toBeGreaterThan(told.indexOf(one))
})

test('a result that arrives during a turn waits for its end', async () => {
  let release: () => void = () => undefined
  const server = await modelServer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event(delta({ content: 'Working' })))
    await new Promise<void>((resolve) => (release = resolve))
    response.end(event(delta({}, 'stop')))
  }, says('And it is done.'))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  scene.agent.send(scene.sessionId, 'go')
  await vi.waitFor(() => expect(scene.textOf(scene.answer())).toBe('Working'))
  scene.tables.ends(scene.sessionId, 'succeeded')
  await theWatcherHasLooked(scene)
  expect(server.requests).toHaveLength(1)
  release()
  await scene.rests()
  expect(scene.messages().map((message) => message.kind)).toEqual(['turn', 'turn', 'continuation'])
})

test('F12: without an open window the result is told and kept; Continue hands it over', async () => {
  const server = await modelServer(says('I see.'))
  const scene = agentScene(server)
  scene.tables.ends(scene.sessionId, 'failed')
  await scene.rests()
  expect(server.requests).toHaveLength(0)
  expect(scene.answer()).toMatchObject({
    kind: 'notice',
    parts: [{ type: 'notice', error: { code: 'assent_window_closed' }, offers: ['continue'] }]
  })
  expect(scene.page().session.state).toBe('waiting')
  expect(scene.agent.continueSession(scene.sessionId).ok).toBe(true)
  await scene.rests()
  expect(server.requests[0]?.last).toContain('(pct_create lxc:typetype) failed')
  expect(scene.page().session.state).toBe('idle')
  expect(scene.agent.continueSession(scene.sessionId)).toMatchObject({
    ok: false,
    error: { code: 'nothing_to_continue' }
  })
})

test('a held result is told with the operator’s next message, or when a window opens', async () => {
  const server = await modelServer(says('The first one failed.'), says('The second one too.'))
  const scene = agentScene(server)
  scene.tables.ends(scene.sessionId, 'failed', { target: 'lxc:one' })
  await scene.rests()
  scene.agent.send(scene.sessionId, 'what happened?')
  await scene.rests()
  expect(server.requests[0]?.last).toMatch(/what happened\?[\s\S]*lxc:one\) failed/)
  scene.tables.ends(scene.sessionId, 'failed', { target: 'lxc:two' })
  await scene.rests()
  scene.tables.openWindow(scene.sessionId)
  await vi.waitFor(() => expect(server.requests).toHaveLength(2))
  await scene.rests()
  expect(server.requests[1]?.last).toContain('lxc:two) failed')
})

test('a continuation that hands on the next step, which runs at once, ends there with a sentence of the app', async () => {
  const underway = {
    run: () => ({
      text: 'It is under way.',
      endsTurn: true,
      structured: { title: 'Install Docker in typetype (105)', state: 'running' }
    }),
    readOnly: false
  }
  const server = await modelServer(calls([{ name: 'request_execution', args: { plan_id: 'p', step: 2 } }]))
  const scene = agentScene(server, { tools: { request_execution: underway } })
  scene.tables.openWindow(scene.sessionId)
  scene.tables.ends(scene.sessionId, 'succeeded')
  await scene.rests()
  expect(server.requests).toHaveLength(1)
  expect(scene.answer()).toMatchObject({
    kind: 'continuation',
    state: 'done',
    parts: [{ type: 'tool_call' }, { type: 'text', text: 'Under way: Install Docker in typetype (105).' }]
  })
})

test('a decision starts a continuation even without a window', async () => {
  const server = await modelServer(says('Understood, I leave it.'))
  const scene = agentScene(server)
  scene.tables.decides(scene.sessionId, 'plan p1 "Move" was denied by the operator: not today')
  await scene.rests()
  expect(server.requests[0]?.last).toContain('was denied by the operator: not today')
  expect(server.requests[0]?.last).not.toContain('Go on towards the goal')
})

test('F40: a continuation that the model answers with nothing, twice, says so and offers to go on', async () => {
  const server = await modelServer(empty(), empty())
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  scene.tables.ends(scene.sessionId, 'succeeded')
  await scene.rests()
  expect(scene.answer()).toMatchObject({
    kind: 'continuation',
    state: 'error',
    parts: [{ type: 'notice', error: { code: 'model_empty' }, offers: ['continue'] }]
  })
  server.script(says('The container runs.'))
  expect(scene.agent.continueSession(scene.sessionId).ok).toBe(true)
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('The container runs.')
  expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(
    'pct_create lxc:typetype) succeeded'
  )
})

test('F50: three failures in a row of the same action on the same target close the window and say why', async () => {
  const server = await modelServer(says('Again.'), says('Once more.'))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  for (let time = 0; time < 3; time++) {
    scene.tables.ends(scene.sessionId, 'failed')
    await scene.rests()
  }
  expect(server.requests).toHaveLength(2)
  expect(scene.answer()).toMatchObject({
    kind: 'notice',
    parts: [{ type: 'notice', error: { code: 'repeated_failure' } }]
  })
  expect(scene.tables.executions.window(scene.sessionId)).toBeNull()
})

test('a success in between begins the count of failures anew, and other targets do not add up', async () => {
  const server = await modelServer(...Array.from({ length: 5 }, () => says('Next.')))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  for (const [state, target] of [
    ['failed', 'lxc:a'],
    ['failed', 'lxc:a'],
    ['succeeded', 'lxc:a'],
    ['failed', 'lxc:a'],
    ['failed', 'lxc:b']
  ] as const) {
    scene.tables.ends(scene.sessionId, state, { target })
    await scene.rests()
  }
  expect(server.requests).toHaveLength(5)
})

test('25 continuations are the most in one window', async () => {
  const server = await modelServer()
  const scene = agentScene(server)
  const window = scene.tables.openWindow(scene.sessionId)
  scene.store.db.prepare('UPDATE assent_windows SET continuations = 25 WHERE id = ?').run(window.id)
  scene.tables.ends(scene.sessionId, 'succeeded')
  await scene.rests()
  expect(server.requests).toHaveLength(0)
  expect(scene.noticeOf(scene.answer())).toBe('continuation_limit')
})

test('while paused nothing continues by itself, and nothing is lost', async () => {
  const server = await modelServer(says('Done.'))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  scene.agent.pause(true)
  scene.tables.ends(scene.sessionId, 'succeeded')
  await theWatcherHasLooked(scene)
  expect(server.requests).toHaveLength(0)
  scene.agent.pause(false)
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('Done.')
})

test('typed assent is told to the model with the message that it was', async () => {
  const server = await modelServer(says('Here I go.'))
  const scene = agentScene(server)
  scene.tables.nextAssent = approvalView('p1', scene.sessionId, Date.now())
  scene.agent.send(scene.sessionId, 'run all yourself')
  await scene.rests()
  expect(server.requests[0]?.last).toMatch(/run all yourself[\s\S]*approved plan p1/)
  expect(scene.textOf(scene.messages()[0] ?? scene.answer())).toBe('run all yourself')
})

test('an approval that waits makes the session wait', async () => {
  const server = await modelServer(says('Asked.'))
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'go')
  await scene.rests()
  scene.tables.asks(scene.sessionId)
  await vi.waitFor(() => expect(scene.page().session.state).toBe('waiting'))
})

test('a session that is deleted during its turn is gone, and nothing is written for it any more', async () => {
  const server = await modelServer(hangsAfter(event(delta({ content: 'Working' }))))
  const scene = agentScene(server)
  scene.agent.send(scene.sessionId, 'go')
  await vi.waitFor(() => expect(scene.textOf(scene.answer())).toBe('Working'))
  scene.agent.send(scene.sessionId, 'and then this')
  server.script(hangsAfter(event(delta({ content: 'Working on that' }))))
  expect(await scene.agent.remove(scene.sessionId)).toEqual({ ok: true, value: null })
  expect(scene.agent.listSessions()).toEqual([])
  expect(scene.store.db.prepare('SELECT COUNT(*) FROM messages').pluck().get()).toBe(0)
})

test('a session can be renamed, forked and exported', async () => {
  const server = await modelServer(calls([{ name: 'web_fetch' }]), says('The café runs on *strong*.'))
  const scene = agentScene(server, { tools: { web_fetch: { run: () => ({ text: 'page', taint: 'web' }) } } })
  scene.agent.send(scene.sessionId, 'Where does the café run?')
  await scene.rests()
  expect(scene.agent.rename(scene.sessionId, 'Café')).toMatchObject({ ok: true, value: { title: 'Café' } })
  const fork = scene.agent.fork(scene.sessionId, scene.answer().id)
  if (!fork.ok) throw new Error(fork.error.message)
  const page = scene.agent.openSession(fork.value.id, undefined, 50)
  expect(page).toMatchObject({
    ok: true,
    value: {
      messages: [{ role: 'user' }, { role: 'assistant' }],
      toolCalls: [{ name: 'web_fetch', state: 'done' }]
    }
  })
  const markdown = scene.agent.exportSession(scene.sessionId, 'markdown')
  expect(markdown.ok && markdown.value).toMatch(/^# Café[\s\S]*Operator[\s\S]*`web_fetch`[\s\S]*\*strong\*/)
  const json = scene.agent.exportSession(fork.value.id, 'json')
  expect(json.ok && JSON.parse(json.value)).toMatchObject({ format: 'nomos-session', messages: [{}, {}] })
  server.script(says('Yes.'))
  scene.agent.send(fork.value.id, 'sure?')
  await vi.waitFor(() => expect(server.requests).toHaveLength(3))
  expect(server.requests[2]?.body.messages.map((message) => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user'
  ])
  expect(textOf(server.requests[2]?.body.messages[3]?.content)).toContain('page')
})

test('what was requested again by itself has its card in the message that tells of it', async () => {
  const server = await modelServer(says('It asks for another VMID.'))
  const scene = agentScene(server)
  scene.tables.openWindow(scene.sessionId)
  const next = scene.tables.asksAnew(scene.sessionId, scene.tables.ends(scene.sessionId, 'failed'))
  await scene.rests()
  expect(scene.answer()).toMatchObject({
    kind: 'continuation',
    parts: [{ type: 'approval', id: next }, { type: 'text' }]
  })
})

test('and so it has while the window is closed', async () => {
  const server = await modelServer()
  const scene = agentScene(server)
  const next = scene.tables.asksAnew(scene.sessionId, scene.tables.ends(scene.sessionId, 'failed'))
  await vi.waitFor(() =>
    expect(scene.answer()).toMatchObject({
      kind: 'notice',
      parts: [{ type: 'notice' }, { type: 'approval', id: next }]
    })
  )
})
