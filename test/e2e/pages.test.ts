import { describe, expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { ask } from '../support/in-page'

describe('leaving a conversation for another page', () => {
  it('loses nothing: it is read on and written on, and so is one that was not begun', async () => {
    const { page } = await launchApp()
    const chat = new Chat(page)
    await chat.exploreLab()
    await visitAnotherPage()
    await chat.say('say hello')
    await chat.answers().nth(0).and(page.locator('[data-state="done"]')).waitFor()
    await visitAnotherPage()
    await chat.say('say hello once more')
    await chat.messages('[data-role="user"]').filter({ hasText: 'once more' }).waitFor()
    await chat.answers().nth(1).and(page.locator('[data-state="done"]')).waitFor()

    async function visitAnotherPage(): Promise<void> {
      await page.getByTestId('nav-ops').click()
      await page.getByRole('heading', { name: 'Ops' }).waitFor()
      await page.getByTestId('nav-chat').click()
    }
  })
})

describe('a message that cannot be shown', () => {
  it('says so in its place; the others, the rest of the window and the log go on', async () => {
    const { app, page, screenshot } = await launchApp()
    const chat = new Chat(page)
    await chat.exploreLab()
    await chat.say('say hello')
    await chat.answerWith('Hello!').waitFor()
    const sessions = await ask(page, 'session.list', {})
    if (!sessions.ok) throw new Error(sessions.error.message)
    const id = sessions.data[0]?.id ?? ''
    const opened = await ask(page, 'session.open', { id })
    const boot = await ask(page, 'app.bootstrap', {})
    if (!opened.ok || !boot.ok) throw new Error('the app does not answer')

    // As no version of the app writes it: a text without a text.
    const message = { ...opened.data.messages.at(-1), parts: [{ type: 'text' }] }
    const event = { seq: boot.data.seq + 1, at: 0, event: { type: 'message.changed', message } }
    await app.evaluate(
      ({ BrowserWindow }, sent) => BrowserWindow.getAllWindows()[0]?.webContents.send('nomos:event', [sent]),
      event
    )
    const problem = page.locator('main').getByText('This could not be shown')
    await problem.waitFor()
    await screenshot('message-not-shown')
    expect(await chat.messages('[data-role="user"]').innerText()).toContain('say hello')

    await page.getByTestId('nav-ops').click()
    await page.getByRole('heading', { name: 'Ops' }).waitFor()
    await page.getByTestId('nav-chat').click()
    await problem.waitFor()
    await chat.say('say hello once more')
    await chat.answerWith('Hello!').waitFor()
  })
})

describe('what is searched in Knowledge', () => {
  it('leads to the message that was said and to the execution that was run', async () => {
    const { page, screenshot, problems } = await launchApp()
    const chat = new Chat(page)
    await chat.exploreLab()
    for (const text of ['say hello caddy', 'restart caddy', 'say hello caddy again']) await chat.say(text)
    await chat.approval('awaiting_approval').getByTestId('approval-approve').click()
    await chat.executions('succeeded').waitFor()

    await page.getByTestId('nav-knowledge').click()
    await page.getByTestId('search-input').fill('caddy')
    const hits = page.getByTestId('search-hit')
    const from = (source: string) => hits.and(page.locator(`[data-source="${source}"]`))
    await from('session').nth(2).waitFor()
    await screenshot('knowledge-hits')
    await from('execution').first().click()
    await page.getByRole('heading', { name: 'Ops' }).waitFor()
    await page.getByTestId('execution-output').waitFor()

    await page.getByTestId('nav-knowledge').click()
    await from('session').first().click()
    await chat.messages('[data-role="user"]').first().waitFor()
    expect(problems).toEqual([])
  })
})
