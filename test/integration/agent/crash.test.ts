import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentScene, type AgentScene } from '../../support/agent'
import {
  calls,
  delta,
  empty,
  event,
  hangsAfter,
  type ModelServer,
  modelServer,
  says,
  textOf
} from '../../support/model-server'
import { testStore } from '../../support/store'
import { tempFolder } from '../../support/temp'
import { toolPort } from '../../support/tool-port'

const support = join(import.meta.dirname, '../../support')

/** Runs the agent in a process of its own until it is killed at the crash point. */
async function dieAt(
  point: string,
  folder: string,
  server: ModelServer,
  start: 'turn' | 'continuation'
): Promise<void> {
  const child = spawn(process.execPath, [join(support, 'run-ts.mjs'), join(support, 'agent-child.ts')], {
    env: {
      ...process.env,
      NOMOS_CRASH_AT: point,
      SCENE: JSON.stringify({ folder, baseURL: server.baseURL, start })
    },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect({ signal, code, said: signal === 'SIGKILL' ? '' : said }).toMatchObject({ signal: 'SIGKILL' })
}

/** The program started again on what the dead one left. */
function startAgain(folder: string, server: ModelServer): AgentScene & { ran: string[] } {
  const store = testStore(folder)
  const sessionId = String(store.db.prepare('SELECT id FROM sessions').pluck().get())
  const port = toolPort({
    change: { readOnly: false, run: () => ({ text: 'changed' }) },
    look: { run: () => ({ text: 'looked' }) }
  })
  const scene = agentScene(server, { store, sessionId, port })
  scene.agent.recover()
  return Object.assign(scene, {
    get ran() {
      return port.calls.map((call) => call.name)
    }
  })
}

const ranBefore = (folder: string): string[] => {
  const file = join(folder, 'ran.log')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const healthy = (scene: AgentScene): void => {
  expect(scene.store.db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(scene.store.db.pragma('foreign_key_check')).toEqual([])
}

test('F7: killed in the middle of the stream, the text is kept and marked, and the turn goes on', async () => {
  const folder = tempFolder()
  const server = await modelServer(
    calls([{ name: 'look' }]),
    hangsAfter(event(delta({ content: 'I have looked and' })))
  )
  await dieAt('mid-stream', folder, server, 'turn')
  server.script(says('here is what I saw.'))
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.answer().parts.map((part) => part.type)).toEqual(['tool_call', 'text', 'notice', 'text'])
  expect(scene.textOf(scene.answer())).toBe('I have looked and\n\nhere is what I saw.')
  expect(scene.noticeOf(scene.answer())).toBe('turn_resumed')
  expect([...ranBefore(folder), ...scene.ran]).toEqual(['look'])
  expect(server.requests.at(-1)?.last).toContain('broken off')
  healthy(scene)
})

test('F9: killed before a saved call ran, its outcome counts as unknown and it is not run blindly', async () => {
  const folder = tempFolder()
  const server = await modelServer(calls([{ name: 'change', args: { n: 1 } }]))
  await dieAt('tool-saved', folder, server, 'turn')
  server.script(says('I checked first.'))
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.page().toolCalls).toMatchObject([{ state: 'interrupted' }])
  expect([...ranBefore(folder), ...scene.ran]).toEqual([])
  expect(
    textOf(server.requests.at(-1)?.body.messages.find((message) => message.role === 'tool')?.content)
  ).toContain('not known')
  healthy(scene)
})

test('F9: killed after a call ran and before its result was kept, it is not run a second time', async () => {
  const folder = tempFolder()
  const server = await modelServer(calls([{ name: 'change', args: { n: 1 } }]))
  await dieAt('tool-ran', folder, server, 'turn')
  server.script(says('I checked first.'))
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(ranBefore(folder)).toEqual(['change'])
  expect(scene.ran).toEqual([])
  expect(scene.page().toolCalls).toMatchObject([{ state: 'interrupted' }])
  healthy(scene)
})

test('F6: killed after the claim and before the model was asked, the result is told once', async () => {
  const folder = tempFolder()
  const server = await modelServer()
  await dieAt('after-claim', folder, server, 'continuation')
  server.script(says('It failed because of a lock.'))
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.messages()).toHaveLength(1)
  expect(scene.answer()).toMatchObject({
    kind: 'continuation',
    state: 'done',
    parts: [{ type: 'text', text: 'It failed because of a lock.' }]
  })
  expect(scene.store.db.prepare('SELECT state, attempts FROM continuations').all()).toEqual([
    { state: 'delivered', attempts: 2 }
  ])
  expect(server.requests.at(-1)?.last).toMatch(
    /\[Nomos\] Written by the app[\s\S]*pct_create lxc:typetype\) failed/
  )
  healthy(scene)
})

test('F6: killed again and again, the result is told to the operator in the end, and can be gone on with', async () => {
  const folder = tempFolder()
  const server = await modelServer()
  await dieAt('after-claim', folder, server, 'continuation')
  for (let again = 0; again < 2; again++) {
    server.script(hangsAfter(event(delta({ content: 'Hm' }))))
    await dieAt('mid-stream', folder, server, 'continuation')
  }
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.answer()).toMatchObject({ state: 'error' })
  expect(scene.answer().parts.at(-1)).toMatchObject({
    type: 'notice',
    error: { code: 'turn_resume_failed' },
    offers: ['continue']
  })
  expect(scene.page().session.state).toBe('waiting')
  server.script(says('Now it works.'))
  expect(scene.agent.continueSession(scene.sessionId).ok).toBe(true)
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('Now it works.')
  healthy(scene)
})

test('F5: a result that nobody had claimed when the program died is told at the next start, once', async () => {
  const folder = tempFolder()
  const server = await modelServer(says('It is done.'))
  const before = agentScene(server, { store: testStore(folder) })
  before.tables.openWindow(before.sessionId)
  before.agent.pause(true)
  before.tables.ends(before.sessionId, 'succeeded')
  await before.agent.close()
  before.store.close()
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.messages().map((message) => message.kind)).toEqual(['continuation'])
  expect(server.requests).toHaveLength(1)
})

test('a program that is closed in the middle of a turn goes on with it, and with what was queued', async () => {
  const folder = tempFolder()
  const server = await modelServer(hangsAfter(event(delta({ content: 'First' }))))
  const before = agentScene(server, { store: testStore(folder) })
  before.agent.send(before.sessionId, 'one')
  before.agent.send(before.sessionId, 'two')
  await expect.poll(() => before.textOf(before.answer())).toBe('First')
  await before.agent.close()
  expect(before.answer()).toMatchObject({ state: 'streaming' })
  before.store.close()
  server.script(says('and last.'), empty(), says('Two.'))
  const scene = startAgain(folder, server)
  await scene.rests()
  expect(scene.messages().map((message) => scene.textOf(message))).toEqual([
    'one',
    'First\n\nand last.',
    'two',
    'Two.'
  ])
})

test('a message sent before recovery keeps its turn, and the one that was left open gets its end', async () => {
  const folder = tempFolder()
  const server = await modelServer(hangsAfter(event(delta({ content: 'First' }))))
  const before = agentScene(server, { store: testStore(folder) })
  before.agent.send(before.sessionId, 'one')
  await expect.poll(() => before.textOf(before.answer())).toBe('First')
  await before.agent.close()
  before.store.close()
  server.script(says('Two.'))
  const scene = agentScene(server, { store: testStore(folder), sessionId: before.sessionId })
  scene.agent.send(scene.sessionId, 'two')
  scene.agent.recover()
  await scene.rests()
  expect(scene.messages().map((message) => [scene.textOf(message), message.state])).toEqual([
    ['one', 'done'],
    ['First', 'error'],
    ['two', 'done'],
    ['Two.', 'done']
  ])
})
