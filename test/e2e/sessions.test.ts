import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { failedDeployment } from '../fixtures/failed-deployment'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { records } from '../support/records'

const long = { timeout: 60_000 }

const fromMenu = async (page: Page, label: string) => {
  await page.locator('header.head').getByRole('button', { name: 'Session menu' }).click()
  await page.getByRole('menuitem', { name: label }).click()
}
const titles = (page: Page) => page.getByTestId('session-item').locator('.title').allInnerTexts()

it('a session is renamed, forked, saved to a file, imported from it and deleted, and says what it has used', async () => {
  const { app, page, home, screenshot } = await launchApp()
  const chat = new Chat(page)
  await chat.exploreLab()
  await chat.say('what is running?')
  await chat.answers().filter({ hasText: 'caddy' }).last().waitFor(long)
  await page.locator('[data-testid="message"][data-role="assistant"][data-state="done"]').waitFor(long)

  await page.getByTestId('context-use').click()
  const details = page.getByTestId('usage-details')
  await details.waitFor()
  expect(await page.getByTestId('context-use').innerText()).toMatch(/^[\d.]+ k of 128 k$/)
  expect(await details.innerText()).toMatch(
    /Tokens in\s+[\d.]+ k[\s\S]*Cost\s+not told[\s\S]*Stored\s+[\d.]+ KiB/
  )
  await screenshot('sessions-usage')
  await page.keyboard.press('Escape')

  await fromMenu(page, 'Rename')
  await page.getByTestId('session-title-input').fill('The fleet on Monday')
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['The fleet on Monday'])

  await chat.answers().last().hover()
  await chat.answers().last().getByRole('button', { name: 'Fork' }).click()
  await expect.poll(() => titles(page)).toEqual(['The fleet on Monday (fork)', 'The fleet on Monday'])

  const file = join(home, 'saved.json')
  await app.evaluate(({ session }, path) => {
    session.defaultSession.on('will-download', (_event, item) => item.setSavePath(path))
  }, file)
  await fromMenu(page, 'Save as a file…')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('}')).toBe(true)

  await fromMenu(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => titles(page)).toEqual(['The fleet on Monday'])

  await page.getByTestId('session-import').setInputFiles(file)
  await expect.poll(() => titles(page)).toEqual(['The fleet on Monday (fork)', 'The fleet on Monday'])
  await chat.messages('[data-kind="notice"]').filter({ hasText: 'imported from a file' }).waitFor()
  expect(await chat.answers().first().innerText()).toContain('caddy')
  expect(records(home, "SELECT state FROM sessions WHERE state <> 'idle'")).toEqual([])

  const foreign = join(home, 'foreign.json')
  writeFileSync(foreign, '{"messages": [{"role": "user", "content": "hi"}]}')
  await page.getByTestId('session-import').setInputFiles(foreign)
  await page.getByText('Nothing was imported').waitFor()
  expect(await titles(page)).toHaveLength(2)
  await screenshot('sessions-imported')
})

it('a further model is set up, chosen for one session only, and kept over a restart', async () => {
  const launched = await launchApp()
  const { page, home } = launched
  const chat = new Chat(page)
  await chat.exploreLab()
  await chat.say('say hello')
  await chat.answerWith('scripted model').waitFor(long)
  expect(await page.getByTestId('model-choice').count()).toBe(0)

  await page.getByTestId('nav-settings').click()
  await page.getByTestId('model-add').click()
  await page.getByTestId('model-own-name').fill('large')
  await page.getByTestId('model-provider').selectOption('ollama')
  await page.getByTestId('model-name').fill('a-large-one')
  await page.getByTestId('model-save').click()
  await expect.poll(() => page.getByTestId('model-slot').allInnerTexts()).toEqual(['Default', 'large'])
  await launched.screenshot('models-settings')

  await page.getByTestId('nav-chat').click()
  await page.getByTestId('model-choice').click()
  await launched.screenshot('models-menu')
  await page.getByTestId('model-choice-item').filter({ hasText: 'large' }).click()
  await expect.poll(() => page.getByTestId('model-choice').innerText()).toBe('large')
  await launched.close()

  const again = await launchApp({ home })
  await expect.poll(() => again.page.getByTestId('model-choice').innerText(), long).toBe('large')
  expect(records(home, 'SELECT model FROM sessions')).toEqual([{ model: 'large' }])

  await again.page.getByTestId('session-new').click()
  await expect.poll(() => again.page.getByTestId('model-choice').innerText()).not.toBe('large')
  await again.page.getByTestId('model-choice').click()
  await again.page.getByTestId('model-choice-item').filter({ hasText: 'large' }).click()
  await expect.poll(() => again.page.getByTestId('model-choice').innerText()).toBe('large')
  await again.screenshot('models-before-the-first-message')
  await new Chat(again.page).say('say hello')
  await expect
    .poll(() => records(home, 'SELECT model FROM sessions'))
    .toEqual([{ model: 'large' }, { model: 'large' }])
})

it('a failed session is reviewed at the press of a button: the root cause first, then what follows', async () => {
  const { page, home, screenshot } = await launchApp()
  const chat = new Chat(page)
  await chat.exploreLab()
  const file = join(home, 'failed.json')
  writeFileSync(file, failedDeployment())
  await page.getByTestId('session-import').setInputFiles(file)
  await chat.messages().filter({ hasText: "I can't run pct create" }).waitFor()
  await page.getByTestId('session-review').click()
  const review = chat.answerWith('Root cause')
  await review.waitFor(long)
  expect(await review.innerText()).toMatch(
    /Root cause\.? Missing capability: pct_create[\s\S]*N\+1 calls: get_entity was called 20 times/
  )
  expect(
    records(
      home,
      'SELECT name FROM tool_calls WHERE session_id = (SELECT id FROM sessions ORDER BY created_at DESC LIMIT 1)'
    )
  ).toEqual([{ name: 'load_skill' }, { name: 'get_session' }])
  await screenshot('sessions-review')
})

it('what waits in a session that is deleted is denied with it, and nothing is left to decide', async () => {
  const { page, home, problems } = await launchApp()
  const chat = new Chat(page)
  await chat.exploreLab()
  await chat.say('restart caddy')
  await chat.approval('awaiting_approval').waitFor(long)
  await page.getByRole('button', { name: '1 to decide' }).waitFor()
  await fromMenu(page, 'Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('What waits for your decision in it is denied').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page
    .locator('header.head')
    .getByRole('button', { name: 'Session menu' })
    .and(page.locator(':focus'))
    .waitFor()

  await fromMenu(page, 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: '1 to decide' }).waitFor({ state: 'detached' })
  expect(records(home, 'SELECT state FROM executions')).toEqual([{ state: 'denied' }])
  expect(records(home, 'SELECT id FROM continuations')).toEqual([])
  await page.getByTestId('nav-ops').click()
  await page.getByText('Nothing waits for you.').waitFor()
  expect(problems).toEqual([])
})
