import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { launchApp, type LaunchedApp } from '../support/app'

const row = (page: Page, name: string) => page.locator(`[data-testid="shortcut"][data-id="${name}"]`)
const keysOf = (page: Page, name: string) => row(page, name).locator('button[aria-pressed]')

/** The keys in the native menu, by label. */
const menuKeys = ({ app }: LaunchedApp) =>
  app.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? [])
        .flatMap((item) => item.submenu?.items ?? [])
        .filter(({ accelerator }) => typeof accelerator === 'string')
        .map(({ label, accelerator }) => [label, accelerator])
    )
  )

async function openKeyboard(nomos: LaunchedApp): Promise<Page> {
  await nomos.page.getByTestId('nav-settings').click()
  await nomos.page.getByTestId('settings-keyboard').click()
  await row(nomos.page, 'palette').waitFor()
  return nomos.page
}

it('a shortcut is recorded by the keyboard alone, acts at once, is in the menu, and outlives a restart', async () => {
  const first = await launchApp()
  const page = await openKeyboard(first)
  await keysOf(page, 'fleet').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Shift+F')
  await vi.waitFor(async () => expect(await keysOf(page, 'fleet').innerText()).toBe('Ctrl Shift F'))
  await vi.waitFor(async () => expect(await menuKeys(first)).toMatchObject({ Fleet: 'CmdOrCtrl+Shift+F' }))
  await first.screenshot('settings-keyboard')

  await page.keyboard.press('Control+3')
  await row(page, 'fleet').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await page.getByTestId('host-add').waitFor()
  await first.close()

  const again = await launchApp({ home: first.home })
  await again.page.keyboard.press('Control+Shift+F')
  await again.page.getByTestId('host-add').waitFor()
  await openKeyboard(again)
  await again.page.getByTestId('shortcuts-reset').click()
  await vi.waitFor(async () => expect(await keysOf(again.page, 'fleet').innerText()).toBe('Ctrl 3'))
  expect(await menuKeys(again)).toMatchObject({ Fleet: 'CmdOrCtrl+3' })
  expect(first.problems.concat(again.problems)).toEqual([])
})

it('keys that belong to another shortcut are named and taken over only when wanted; those of the system never', async () => {
  const nomos = await launchApp()
  const page = await openKeyboard(nomos)
  await keysOf(page, 'stop').click()
  for (const [keys, told] of [
    ['Control+c', 'editing text'],
    ['Shift+F10', 'editing text'],
    ['x', 'alone is for writing'],
    ['Enter', 'cannot be a shortcut'],
    ['Control+Enter', 'cannot be a shortcut'],
    ['Space', 'cannot be a shortcut'],
    ['Control+ArrowLeft', 'cannot be a shortcut']
  ] as const) {
    await page.keyboard.press(keys)
    await row(page, 'stop').getByText(told).waitFor()
  }
  await page.keyboard.press('Control+k')
  await row(page, 'stop').getByText('Ctrl K already belongs to “Open the commands”.').waitFor()
  await nomos.screenshot('settings-keyboard-conflict')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')

  await page.getByTestId('shortcut-take').click()
  await vi.waitFor(async () => expect(await keysOf(page, 'palette').innerText()).toBe('none'))
  expect(await keysOf(page, 'stop').innerText()).toBe('Ctrl K')

  await keysOf(page, 'palette').click()
  await page.keyboard.press('Escape')
  expect(await keysOf(page, 'palette').innerText()).toBe('none')
  await keysOf(page, 'stop').click()
  await page.keyboard.press('Backspace')
  await vi.waitFor(async () => expect(await keysOf(page, 'stop').innerText()).toBe('none'))
  const kept: unknown = JSON.parse(readFileSync(join(nomos.home, 'nomos.config.json'), 'utf8'))
  expect(kept).toMatchObject({ shortcuts: { stop: '', palette: '', newSession: 'Mod+N' } })
})
