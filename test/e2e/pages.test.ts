import { describe, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'

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
