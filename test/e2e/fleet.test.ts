import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'

const long = { timeout: 60_000 }

/** The Fleet page as a person uses it. */
class Fleet {
  readonly chat: Chat
  readonly detail: Locator

  constructor(readonly page: Page) {
    this.chat = new Chat(page)
    this.detail = page.getByTestId('target-detail')
  }

  async open(): Promise<void> {
    await this.page.getByTestId('nav-fleet').click()
    await this.page.getByTestId('lxc-row').first().waitFor(long)
  }

  guest = (name: string): Locator => this.page.getByTestId('lxc-row').filter({ hasText: name })

  async openGuest(name: string): Promise<void> {
    await this.guest(name).click()
    await this.detail.getByRole('heading', { name }).waitFor()
  }

  async tab(name: string): Promise<void> {
    await this.detail.locator(`[data-testid="tab"][data-id="${name}"]`).click()
  }

  /** Approves the card that has come up, waits for the end of what it runs, and closes it. */
  async approve(confirmName?: string): Promise<void> {
    const card = this.chat.approval('awaiting_approval')
    await card.waitFor(long)
    await this.chat.readToTheEnd(card)
    if (confirmName !== undefined) await card.getByRole('textbox').first().fill(confirmName)
    const approve = card.getByTestId('approval-approve')
    await expect.poll(() => approve.isEnabled(), long).toBe(true)
    await approve.click()
    await this.page.locator('[data-testid="execution-strip"][data-state="succeeded"]').waitFor(long)
    await this.page.keyboard.press('Escape')
    await this.page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
}

describe('a guest on the Fleet page', () => {
  it('is looked at from all sides, and what is done to it is seen without reading anew', async () => {
    const { page, problems } = await launchApp()
    const fleet = new Fleet(page)
    await fleet.chat.exploreLab()
    await fleet.open()
    await fleet.openGuest('caddy')
    await fleet.detail.getByTestId('guest-config').getByText('vmbr0').waitFor(long)
    await fleet.detail.getByRole('img', { name: /^CPU: .* between/ }).waitFor(long)

    // Tabs go by the arrow keys.
    await fleet.detail.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    await fleet.detail.getByRole('tab', { name: 'Snapshots', selected: true }).waitFor()
    await fleet.detail.getByText('No snapshot yet').waitFor(long)

    await fleet.detail.getByTestId('snapshot-take').click()
    const form = page.getByTestId('action-form')
    await form.getByLabel('Name').fill('before-update')
    await form.getByLabel('Description').fill('all is well')
    await form.getByTestId('action-request').click()
    await fleet.approve()
    const snapshot = fleet.detail.locator('[data-testid="snapshot-row"][data-id="before-update"]')
    await snapshot.getByText('all is well').waitFor(long)

    await snapshot.getByTestId('snapshot-remove').click()
    await fleet.approve('caddy')
    await snapshot.waitFor({ state: 'detached', ...long })

    await fleet.tab('services')
    const service = fleet.detail.locator('[data-testid="service-row"][data-id="caddy"]')
    await service.getByTestId('service-restart').click(long)
    await fleet.approve()
    await service.and(page.locator('[data-state="active"]')).waitFor(long)

    await service.getByRole('button', { name: 'More for caddy' }).click()
    await page.getByRole('menuitem', { name: 'Show its log' }).click()
    const log = fleet.detail.getByTestId('log')
    await log.getByText('Started caddy.service').first().waitFor(long)
    await fleet.detail.getByTestId('logs-filter').fill('no such words')
    await fleet.detail.getByText('No line contains this.').waitFor()

    await fleet.tab('executions')
    await expect.poll(() => fleet.detail.getByTestId('execution-row').count(), long).toBe(3)
    expect(problems).toEqual([])
  }, 180_000)

  it('that is off says so in each tab and can be started there; the list shows it running by itself', async () => {
    const { page } = await launchApp()
    const fleet = new Fleet(page)
    await fleet.chat.exploreLab()
    await fleet.open()
    await fleet.openGuest('paperless')
    await fleet.tab('services')
    await fleet.detail.getByRole('button', { name: 'Start paperless' }).click(long)
    await fleet.approve()
    await fleet.detail.getByTestId('service-row').first().waitFor(long)
    await fleet.detail.getByTestId('detail-back').click()
    await fleet.guest('paperless').and(page.locator('[data-state="running"]')).waitFor(long)
  }, 120_000)
})

describe('a host that cannot be reached', () => {
  it('is listed as what it is, and each of its tabs says why there is nothing and can be tried again', async () => {
    const { page } = await launchApp({
      config: { hosts: [{ name: 'gone', address: '127.0.0.1', port: 9, identity: { agent: true } }] }
    })
    await page.getByTestId('nav-fleet').click()
    const row = page.locator('[data-testid="host-row"][data-id="gone"]')
    await row.getByText('never reached').waitFor(long)
    await row.click()
    const fleet = new Fleet(page)
    await fleet.detail.getByTestId('stale-note').getByText('gone was never reached').waitFor()
    for (const tab of ['services', 'logs', 'updates', 'tasks']) {
      await fleet.tab(tab)
      await fleet.detail.getByRole('alert').getByText('gone').first().waitFor(long)
      await fleet.detail.getByRole('button', { name: 'Try again' }).waitFor()
    }
  }, 120_000)
})

describe('a new container', () => {
  it('is made from the Fleet page: chosen from what the node offers, approved, running in the list', async () => {
    const { page } = await launchApp()
    const fleet = new Fleet(page)
    await fleet.chat.exploreLab()
    await fleet.open()
    await page.getByTestId('container-new').click()
    const form = page.getByTestId('action-form')
    await page.getByTestId('new-container-name').fill('wiki')
    await page.getByTestId('new-container-node').selectOption('strong')
    await form.getByLabel('Template').selectOption({ label: 'debian-12-standard 12.7-1' }, long)
    await form.getByLabel('Storage').selectOption('local-lvm')
    await form.getByLabel('Bridge').selectOption('vmbr0', long)
    await form.getByLabel('Memory').fill('1024')
    await form.getByTestId('action-request').click()
    const commands = fleet.chat.approval('awaiting_approval').getByTestId('approval-commands')
    await commands.getByText('--memory 1024').first().waitFor(long)
    await commands.getByText('local-lvm:8').first().waitFor()
    await fleet.approve()
    await fleet.guest('wiki').and(page.locator('[data-state="running"]')).waitFor(long)
  }, 120_000)
})

describe('the command palette', () => {
  it('finds what one says, such as "restart caddy", with the keyboard alone, and has it at hand the next time', async () => {
    const { page } = await launchApp()
    const fleet = new Fleet(page)
    await fleet.chat.exploreLab()
    await expect.poll(() => page.getByText('2 of 2 hosts').count(), long).toBe(1)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('restart cad')
    await page.getByRole('option', { name: /^Restart: caddy/ }).waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByTestId('action-form')
    await form.waitFor(long)
    await page.keyboard.type('caddy')
    await page.keyboard.press('Enter')
    await fleet.approve()
    await fleet.detail.getByRole('heading', { name: 'caddy' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().filter({ hasText: 'Restart: caddy' }).waitFor()
    await page.keyboard.type('host-key')
    await page.getByText('Nothing fits.').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('quiet')
    await page.getByRole('option').first().filter({ hasText: 'quiet' }).waitFor()
    await page.keyboard.press('Enter')
    await fleet.detail.getByRole('heading', { name: 'quiet' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('lxc-row').first().waitFor()
  }, 120_000)
})
