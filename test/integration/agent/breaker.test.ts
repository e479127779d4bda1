import { expect, test, vi } from 'vitest'
import { agentScene } from '../../support/agent'
import { modelServer, says, status } from '../../support/model-server'

/** Waits are told and end when the test says so. */
function heldWaits() {
  const waits: { readonly ms: number; readonly go: () => void }[] = []
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waits.push({ ms, go: resolve })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  return { waits, wait }
}

const failing = (times: number) => Array.from({ length: times }, () => status(503))

test('a service that has failed five times in a row is left alone; the chat says when it is tried again', async () => {
  const server = await modelServer(...failing(5))
  const { waits, wait } = heldWaits()
  let held = false
  const scene = agentScene(server, {
    retry: { wait: (ms, signal) => (held ? wait(ms, signal) : Promise.resolve()) }
  })
  scene.agent.send(scene.sessionId, 'hello')
  await scene.rests()
  expect(scene.answer().parts).toMatchObject([
    {
      type: 'notice',
      error: { code: 'model_unavailable', hint: expect.stringMatching(/left alone.*1[45] s/) as string }
    }
  ])
  held = true
  const other = scene.agent.createSession()
  if (!other.ok) throw new Error('no session')
  scene.agent.retry(scene.sessionId)
  scene.agent.send(other.value.id, 'are you there?')
  await vi.waitFor(() => expect(scene.agent.activities()).toHaveLength(2))
  await vi.waitFor(() =>
    expect(scene.agent.activities()).toMatchObject([
      { phase: 'resting', text: expect.stringContaining('tried again in') as string },
      { phase: 'resting', until: expect.any(Number) as number }
    ])
  )
  // Nothing is asked meanwhile, and one alone tries whether it is back.
  expect(server.requests).toHaveLength(5)
  expect(waits).toHaveLength(1)
  server.script(says('Back.'), says('I am.'))
  waits[0]?.go()
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('Back.')
  await vi.waitFor(() => {
    const page = scene.agent.openSession(other.value.id, undefined, 10)
    expect(page.ok && page.value.messages.at(-1)?.parts).toEqual([{ type: 'text', text: 'I am.' }])
  })
  expect(server.requests).toHaveLength(7)
})

test('a try that fails leaves the service alone for longer; Stop ends the wait at once', async () => {
  const server = await modelServer(...failing(6))
  const { waits, wait } = heldWaits()
  let held = false
  const scene = agentScene(server, {
    retry: { maxRetries: 4, wait: (ms, signal) => (held ? wait(ms, signal) : Promise.resolve()) }
  })
  scene.agent.send(scene.sessionId, 'hello')
  await scene.rests()
  held = true
  scene.agent.retry(scene.sessionId)
  await vi.waitFor(() => expect(waits).toHaveLength(1))
  waits[0]?.go()
  // The try failed: the pause of the retry, then the longer rest.
  await vi.waitFor(() => expect(waits).toHaveLength(2))
  expect(server.requests).toHaveLength(6)
  waits[1]?.go()
  await vi.waitFor(() => expect(waits).toHaveLength(3))
  expect(waits[2]?.ms).toBeGreaterThan(29_000)
  scene.agent.stop(scene.sessionId)
  await scene.rests()
  expect(scene.noticeOf(scene.answer())).toBe('turn_stopped')
  // Who comes next tries it: the one that was stopped holds nothing.
  server.script(says('Back.'))
  scene.agent.send(scene.sessionId, 'again')
  await vi.waitFor(() => expect(waits).toHaveLength(4))
  waits[3]?.go()
  await scene.rests()
  expect(scene.textOf(scene.answer())).toBe('Back.')
})

test('a service that refuses, or has too much to do, is there: it is not left alone', async () => {
  const server = await modelServer(...failing(4), status(429), status(401), says('Here.'))
  const scene = agentScene(server)
  for (const words of ['one', 'two', 'three']) {
    scene.agent.send(scene.sessionId, words)
    await scene.rests()
  }
  expect(scene.textOf(scene.answer())).toBe('Here.')
  expect(scene.waits.every((ms) => ms < 10_000)).toBe(true)
})
