import { expect, test } from 'vitest'
import { failedDeployment } from '../../fixtures/failed-deployment'
import { coreInTheLab, lastWords, sessionIn } from '../../support/lab-core'

test('session-review of a failed deployment names the missing capability as root cause and the N+1 calls as the second', async () => {
  const core = await coreInTheLab()
  const failed = core.agent.importSession(failedDeployment())
  if (!failed.ok) throw new Error(failed.error.message)
  const session = sessionIn(core)
  await session.say(
    `Review the session “Deploy TypeType” (${failed.value.id}) with the skill session-review.`
  )

  const { toolCalls, messages } = session.page()
  expect(toolCalls.map(({ name }) => name)).toEqual(['load_skill', 'get_session'])
  const record = core.agent.toolCall(toolCalls[1]?.id ?? '')
  expect(record).toMatchObject({
    ok: true,
    value: {
      structured: {
        review: {
          calls: 150,
          findings: [
            { kind: 'missing_capability', text: expect.stringContaining('pct_create') as string },
            {
              kind: 'n_plus_one',
              text: expect.stringContaining('get_entity was called 20 times, 20 of them in a row') as string
            },
            { kind: 'continue_needed', text: expect.stringContaining('2 times') as string }
          ]
        }
      }
    }
  })
  const [root = '', second = ''] = lastWords(messages).split('**Further causes**')
  expect(root).toMatch(/Root cause.*Missing capability: pct_create.*I can't run pct create/s)
  expect(root).toContain('The registry has pct_create now')
  expect(second).toMatch(/2\. N\+1 calls: get_entity.*get_state_snapshot returns all of it/)
})
