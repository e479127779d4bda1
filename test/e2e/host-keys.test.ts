import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { launchApp } from '../support/app'
import { startPveHost } from '../support/pve-host'

it('a host key is judged on a card, forgotten, imported from known_hosts; each stands in the audit trail', async () => {
  const host = await startPveHost()
  onTestFinished(() => host.stop())
  const { hostKey: _, ...config } = host.sshd.hostConfig('strong')
  const { page, app, screenshot, problems } = await launchApp({ config: { hosts: [config] } })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1000, 760))
  const offer = page.getByTestId('host-key-offer')

  await page.getByTestId('nav-settings').click()
  await page.getByTestId('settings-hosts').click()
  await offer.waitFor()
  expect(await page.getByTestId('host-key-fingerprint').innerText()).toBe(host.sshd.hostKeyFingerprint)
  await page.getByTestId('host-key-trust').click()
  await page.getByTestId('host-key-forget').waitFor()
  await expect.poll(() => offer.count()).toBe(0)

  await page.getByTestId('host-key-forget').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget key' }).click()
  await offer.waitFor()

  await page.getByTestId('known-hosts-open').click()
  const key = readFileSync(join(host.sshd.folder, 'host_ed25519.pub'), 'utf8').trim()
  await page.getByRole('textbox').last().fill(`[127.0.0.1]:${host.sshd.port} ${key}\nnonsense`)
  await page.getByRole('button', { name: 'Import these lines' }).click()
  await page.locator('[data-testid="known-hosts-report"] [data-outcome="imported"]').waitFor()
  await screenshot('known-hosts')
  await page.keyboard.press('Escape')
  await expect.poll(() => offer.count()).toBe(0)

  await page.getByTestId('nav-ops').click()
  await page.getByText('Audit trail').click()
  const rows = page.getByTestId('audit-row')
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([
      expect.stringContaining('Key imported from known_hosts by you: strong'),
      expect.stringContaining('Key forgotten by you: strong'),
      expect.stringContaining('Key trusted by you: strong')
    ])
  await page.getByTestId('audit-search').fill('forgotten')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Verify chain' }).click()
  await page.getByText('All 3 entries fit the chain.').waitFor()
  expect(problems).toEqual([])
})
