import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { createCore, type Core } from '../../../src-main/core'
import type { MessageView } from '../../../src-preload/contract'
import { tempFolder } from '../../support/temp'

/** The whole core on the lab: real SSH, real jobs, real approvals, the scripted model over HTTP. */
async function coreInTheLab(): Promise<Core> {
  const home = tempFolder()
  const made = createCore({
    home,
    appFolder: join(import.meta.dirname, '../../..'),
    version: '0.0.0',
    logsFolder: home,
    env: { NOMOS_LAB_PACE: '0.02' },
    clock: systemClock,
    log: silentLogger
  })
  if (!made.ok) throw new Error(made.error.message)
  const core = made.value
  onTestFinished(() => core.close())
  await core.start()
  const started = await core.lab.start()
  if (!started.ok) throw new Error(started.error.message)
  return core
}

const lastWords = (messages: readonly MessageView[]): string =>
  messages
    .at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .at(-1) ?? ''

test('a change is asked for, assented to in words, carried out, and its result continues by itself', async () => {
  const core = await coreInTheLab()
  const session = core.agent.createSession()
  if (!session.ok) throw new Error(session.error.message)
  const { id } = session.value
  const page = () => {
    const opened = core.agent.openSession(id, undefined, 50)
    if (!opened.ok) throw new Error(opened.error.message)
    return opened.value
  }
  const stateIs = (state: string) =>
    vi.waitFor(() => expect(page().session.state).toBe(state), { timeout: 30_000, interval: 20 })

  core.agent.send(id, 'restart caddy')
  await stateIs('waiting')
  expect(page().approvals).toMatchObject([{ state: 'awaiting_approval', risk: 'service_action' }])

  core.agent.send(id, 'go ahead')
  const told = () => core.store.db.prepare('SELECT state FROM continuations').pluck().all()
  // The result is told once: by a continuation, or by the running turn when it asks after the execution itself.
  await vi.waitFor(() => expect(told()).toEqual(['delivered']), { timeout: 30_000, interval: 20 })
  await stateIs('idle')
  const after = page()
  expect(after.approvals).toMatchObject([{ state: 'approved', route: 'chat_assent' }])
  expect(after.executions).toMatchObject([{ action: 'systemctl', state: 'succeeded' }])
  expect(after.messages.filter((message) => message.role === 'user')).toHaveLength(2)
  expect(after.messages.every((message) => message.state === 'done' && message.parts.length > 0)).toBe(true)
  expect(lastWords(after.messages)).toMatch(/caddy/)
})
