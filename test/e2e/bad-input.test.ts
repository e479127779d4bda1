import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startLab } from '../../src-main/lab/lab'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'

const patience = { timeout: 60_000 }

/** Nothing may be left of a wish that was refused. */
function expectNothingHalfDone(home: string) {
  expect(records(home, 'SELECT id FROM executions')).toEqual([])
  expect(records(home, 'SELECT id FROM plans')).toEqual([])
  expect(records(home, `SELECT id FROM messages WHERE state = 'streaming'`)).toEqual([])
}

describe('a wish that cannot be met is answered where it was written', () => {
  it('unknown host, taken VMID, underscore, missing template, no space: each with its reason, nothing half done', async () => {
    const app = await launchApp()
    const chat = new Chat(app.page)
    await chat.exploreLab()
    const wishes: readonly [string, RegExp][] = [
      ['deploy TypeType on nowhere as an LXC', /nowhere/],
      ['deploy TypeType on strong as an LXC with vmid 101', /101.*(taken|exists|in use)/i],
      ['deploy TypeType on strong as an LXC with hostname type_type', /type-type/],
      [
        'deploy TypeType on strong as an LXC with template debian-99-standard_99.0-1_amd64.tar.zst',
        /debian-99/
      ],
      ['deploy TypeType on strong as an LXC with 5000 GiB disk', /(space|free)/i]
    ]
    for (const [wish, reason] of wishes) {
      await chat.newSession()
      await chat.say(wish)
      const answer = chat.answerWith('nothing was changed').last()
      await answer.waitFor(patience)
      expect(await answer.innerText(), wish).toMatch(reason)
      expect(await chat.groups('failed').last().getByTestId('tool-group-status').innerText(), wish).toMatch(
        /failed/
      )
    }
    expectNothingHalfDone(app.home)
    await app.close()
  })

  it('a model that cannot be reached is told in the chat, with what to do, and the message is kept', async () => {
    const app = await launchApp({
      config: {
        lab: true,
        model: { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', model: 'gone' }
      }
    })
    const chat = new Chat(app.page)
    await chat.say('what is running?')
    const notice = chat.answers().last().getByTestId('notice')
    await notice.waitFor(patience)
    expect(await notice.innerText()).toMatch(/reach/i)
    expect(await notice.getByRole('button').count()).toBeGreaterThan(0)
    expect(await chat.messages('[data-role="user"]').innerText()).toContain('what is running?')
    await app.close()
  })
})

describe('a host whose key is another than the one pinned', () => {
  it('is blocked, says both fingerprints, and nothing is sent to it', async () => {
    const lab = await startLab({ folder: join(tempFolder(), 'lab'), pace: 0.1 })
    onTestFinished(() => lab.stop())
    const [strong] = lab.config.hosts
    const app = await launchApp({ config: { hosts: [{ ...strong, hostKey: `SHA256:${'A'.repeat(43)}` }] } })
    await app.page.getByTestId('nav-fleet').click()
    const row = app.page.getByTestId('host-row').filter({ hasText: 'strong' })
    await expect.poll(async () => await row.innerText(), patience).toMatch(/blocked|another key|key/i)
    await expect
      .poll(async () => await app.page.locator('body').innerText(), patience)
      .toContain(`SHA256:${'A'.repeat(43)}`)
    expect(lab.inspect().commands).toEqual([])
    await app.close()
  })
})
