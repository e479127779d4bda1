import { expect, test } from 'vitest'
import { launchApp } from '../support/app'

test(
  'a signal is seen on the Fleet page, mended through an approval, and over',
  { timeout: 120_000 },
  async () => {
    const { page, screenshot } = await launchApp({ config: { lab: true } })
    await page.getByTestId('nav-fleet').click()
    const failed = page.locator('[data-testid=signal-row][data-kind=unit_failed]')
    await failed.waitFor({ timeout: 30_000 })
    await screenshot('signals')

    await page.getByRole('button', { name: /signals/ }).waitFor()
    await failed.getByRole('button', { name: 'Restart' }).click()
    await page.getByTestId('approval-approve').click()
    await page.keyboard.press('Escape')
    const over = () =>
      page.locator('[data-testid=signal-row][data-kind=unit_failed]:not([data-state=resolved])').count()
    await expect.poll(over, { timeout: 30_000 }).toBe(0)

    const reboot = page.locator('[data-testid=signal-row][data-kind=reboot_needed]')
    await reboot.getByRole('button', { name: /Seen/ }).click()
    await reboot.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /can wait or were seen/ }).click()
    await expect(reboot.getAttribute('data-state')).resolves.toBe('acknowledged')

    await reboot.getByRole('button', { name: 'Not seen yet' }).click()
    await page.locator('[data-testid=signal-row][data-kind=reboot_needed][data-state=open]').waitFor()

    await reboot.getByRole('button', { name: 'Ask Nomos about it' }).click()
    await expect(page.getByTestId('composer-input').inputValue()).resolves.toContain('quiet needs a reboot')
  }
)
