import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, describe, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { records } from '../support/records'

const sessions = (home: string) => records<{ readonly title: string }>(home, 'SELECT title FROM sessions')

describe('the data of the app', () => {
  it('is backed up and restored from the settings, and diagnostics are saved', async () => {
    const app = await launchApp()
    const { page } = app
    // The folder would open in the desktop's file manager, and a second app would outlive the test.
    await app.app.evaluate(({ app: electron, shell }) => {
      shell.openPath = async () => ''
      electron.relaunch = () => undefined
    })
    const chat = new Chat(page)
    await chat.exploreLab()
    await page.getByTestId('nav-settings').click()
    await page.getByTestId('settings-data').click()
    await page.getByTestId('back-up').click()
    await expect.poll(() => page.getByTestId('backup').count()).toBeGreaterThan(0)
    await page.getByTestId('save-diagnostics').click()
    await expect.poll(() => readdirSync(join(app.home))).toContain('diagnostics')

    await page.getByTestId('nav-chat').click()
    await chat.say('say hello')
    await chat.answers().first().waitFor()
    expect(sessions(app.home)).not.toEqual([])
    await page.getByTestId('nav-settings').click()
    await page.getByTestId('backup').first().getByRole('button').click()
    await page.getByRole('dialog').getByRole('button').last().click()
    expect(await app.ended).toBe(0)

    const again = await launchApp({ home: app.home })
    await again.page.getByTestId('nav-settings').click()
    await again.page.getByTestId('settings-data').click()
    await again.page.getByTestId('backup').filter({ hasText: 'before-restore' }).waitFor()
    expect(sessions(app.home)).toEqual([])
    await again.close()
  })
})

describe('the language of the window', () => {
  it('is German once it is chosen, also after a restart', async () => {
    const app = await launchApp()
    await app.page.getByTestId('nav-settings').click()
    await app.page.getByTestId('settings-appearance').click()
    await app.page.locator('label').filter({ hasText: 'Deutsch' }).click()
    await app.page.getByRole('heading', { name: 'Willkommen bei Nomos' }).waitFor()
    expect(await app.page.locator('html').getAttribute('lang')).toBe('de')
    await app.close()

    const again = await launchApp({ home: app.home })
    await again.page.getByRole('heading', { name: 'Willkommen bei Nomos' }).waitFor()
    await again.close()
  })
})
