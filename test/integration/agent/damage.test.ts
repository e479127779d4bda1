import { expect, test } from 'vitest'
import type { Core } from '../../../src-main/core'
import type { Logger } from '../../../src-main/base/log'
import { coreInTheLab, followed, lastWords, sessionIn } from '../../support/lab-core'
import { tempFolder } from '../../support/temp'

/** A session in which the agent has looked at the containers, as the program's death in its answer leaves it. */
async function brokenOff(core: Core): Promise<{ id: string; messageId: string }> {
  const session = sessionIn(core)
  await session.say('what is running?')
  const messageId = session.page().messages.at(-1)?.id ?? ''
  const { db } = core.store
  db.prepare(`DELETE FROM message_parts WHERE message_id = ? AND type = 'text'`).run(messageId)
  db.prepare(`UPDATE messages SET state = 'streaming', finished_at = NULL WHERE id = ?`).run(messageId)
  return { id: session.id, messageId }
}

const noticesOf = (session: ReturnType<typeof followed>) =>
  session
    .page()
    .messages.flatMap((message) =>
      message.parts.flatMap((part) => (part.type === 'notice' ? [part.error] : []))
    )

test('damaged rows of some conversations keep neither the app from starting nor the others from going on', async () => {
  const home = tempFolder()
  const before = await coreInTheLab(home)
  const { db } = before.store
  const args = await brokenOff(before)
  const usage = await brokenOff(before)
  const notice = await brokenOff(before)
  const healthy = await brokenOff(before)
  const waiting = sessionIn(before)
  before.agent.send(waiting.id, 'restart caddy')
  await waiting.becomes('waiting')

  db.prepare(`UPDATE tool_calls SET args = '{"host": "str' WHERE message_id = ?`).run(args.messageId)
  db.prepare(`UPDATE messages SET usage = X'00' || '{' WHERE id = ?`).run(usage.messageId)
  db.prepare(
    `INSERT INTO message_parts (message_id, idx, step, type, data) VALUES (?, 99, 9, 'notice', '{"error":')`
  ).run(notice.messageId)
  db.prepare(`UPDATE executions SET params = '{', commands = '[{"step"' WHERE session_id = ?`).run(waiting.id)
  await before.close()

  const told: string[] = []
  const log: Logger = {
    log: (level, area, message) => void (level === 'error' && told.push(`${area}: ${message}`))
  }
  const core = await coreInTheLab(home, log)

  const healed = followed(core, healthy.id)
  await healed.becomes('idle')
  expect(lastWords(healed.page().messages)).toMatch(/caddy/)
  expect(noticesOf(healed)).toMatchObject([{ code: 'turn_resumed' }])

  for (const { id } of [args, usage, notice]) {
    const session = followed(core, id)
    expect(session.page().session.state).toBe('failed')
    expect(noticesOf(session).at(-1)).toMatchObject({
      code: 'record_damaged',
      message: expect.stringContaining('did not go on with it by itself') as string
    })
  }
  expect(told.filter((line) => line.includes('its record is damaged'))).toHaveLength(3)
  expect(core.agent.listSessions()).toHaveLength(5)
  expect(core.executions.list({}).executions).toHaveLength(1)
  expect(followed(core, waiting.id).page().executions).toMatchObject([
    { state: 'awaiting_approval', commands: [{ text: 'The record of these commands is damaged.' }] }
  ])
})

test('what was damaged can be gone on with: the model is told which record is missing', async () => {
  const core = await coreInTheLab()
  const session = sessionIn(core)
  await session.say('what is running?')
  core.store.db.prepare(`UPDATE tool_calls SET args = '{"host": "str', structured = '[' `).run()
  const [call] = session.page().toolCalls
  expect(core.agent.toolCall(call?.id ?? '')).toMatchObject({
    ok: true,
    value: { input: 'The record of what this call was given is damaged.', structured: null }
  })
  await session.say('and what uses the most memory?')
  expect(session.page().messages.at(-1)).toMatchObject({ state: 'done' })
  expect(lastWords(session.page().messages)).not.toBe('')
  expect(core.agent.exportSession(session.id, 'json').ok).toBe(true)
})
