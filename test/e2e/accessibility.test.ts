import type { Page } from 'playwright-core'
import { expect, describe, it } from 'vitest'
import { focusStop, violations, type FocusStop } from '../support/accessibility'
import { launchApp, type LaunchedApp } from '../support/app'
import { Chat } from '../support/chat'

const long = { timeout: 90_000 }
const themes = ['light', 'dark'] as const
const sections = [
  ...['model', 'hosts', 'policies', 'secrets', 'appearance', 'notifications'],
  ...['mcp', 'keyboard', 'data', 'lab', 'about']
]
const deploy =
  "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"

/** Collects what axe finds, in both themes, under the name of what is on the screen. */
class Inspection {
  readonly found: string[] = []

  constructor(private readonly page: Page) {}

  async look(name: string): Promise<void> {
    for (const colorScheme of themes) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const theme = this.page.locator(`html[data-theme="${colorScheme}"]`)
      await theme.waitFor({ state: 'attached' })
      await this.page.waitForFunction('document.getAnimations().every((a) => a.playState !== "running")')
      this.found.push(...(await violations(this.page)).map((line) => `${name}, ${colorScheme}: ${line}`))
    }
  }
}

describe('axe finds nothing wrong, in both themes', () => {
  it('on every page, with the work that is shown on it', async () => {
    const { page } = await launchApp()
    const chat = new Chat(page)
    const inspection = new Inspection(page)
    await page.getByTestId('explore-lab').waitFor()
    await inspection.look('first start')

    await chat.exploreLab()
    await inspection.look('empty chat')
    await chat.say(deploy)
    await chat.plan('awaiting_approval').waitFor(long)
    await chat.groups('done').first().waitFor(long)
    await chat.groups('done').first().getByTestId('tool-group-toggle').click()
    await inspection.look('plan that waits')
    await chat.say('run all yourself')
    await chat.answerWith('TypeType runs').last().waitFor(long)
    await chat.executions().first().getByRole('button').first().click()
    await inspection.look('finished deployment')
    await chat.newSession()
    await chat.say('destroy the old test container')
    await chat.approval('awaiting_approval').getByTestId('approval-approve').click(long)
    await chat
      .approval('awaiting_approval')
      .filter({ hasText: /destroy/i })
      .waitFor(long)
    await inspection.look('destructive approval')

    await page.getByTestId('nav-ops').click()
    await chat.executions().first().waitFor()
    await inspection.look('ops')
    await page.locator('label').filter({ hasText: 'Audit trail' }).click()
    await page.getByTestId('audit-row').first().waitFor()
    await inspection.look('audit trail')

    await page.getByTestId('nav-fleet').click()
    const guest = page.getByTestId('lxc-row').filter({ hasText: 'typetype' })
    await guest.waitFor()
    await inspection.look('fleet')
    await guest.click()
    await page.getByTestId('target-detail').waitFor()
    await inspection.look('a guest of the fleet')
    for (const tab of ['snapshots', 'services', 'logs', 'updates', 'executions', 'actions']) {
      await page.locator(`[data-testid="tab"][data-id="${tab}"]`).click()
      await page.getByTestId('reading').waitFor({ state: 'detached' })
      await inspection.look(`a guest, ${tab}`)
    }
    await page.getByTestId('detail-back').click()
    await page.getByTestId('host-row').first().click()
    await page.getByTestId('target-detail').waitFor()
    for (const tab of ['guests', 'storages', 'tasks']) {
      await page.locator(`[data-testid="tab"][data-id="${tab}"]`).click()
      await page.getByTestId('reading').waitFor({ state: 'detached' })
      await inspection.look(`a host, ${tab}`)
    }
    await page.getByTestId('detail-back').click()
    await page.getByTestId('container-new').click()
    await page.getByTestId('action-form').waitFor()
    await inspection.look('a new container')
    await page.keyboard.press('Escape')

    await page.getByTestId('nav-knowledge').click()
    await inspection.look('knowledge')
    await page.getByTestId('note-new').click()
    await page.getByTestId('note-title').fill('Backups')
    await page.getByTestId('note-body').fill('# At night\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
    await inspection.look('a note that is written')
    await page.getByTestId('note-save').click()
    await page.getByTestId('document').waitFor()
    await inspection.look('a note')

    await page.getByTestId('nav-settings').click()
    for (const section of sections) {
      await page.getByTestId(`settings-${section}`).click()
      await inspection.look(`settings, ${section}`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await inspection.look('commands')
    await page.keyboard.press('Escape')
    await page.getByTestId('nav-fleet').click()
    await page.getByTestId('host-add').click()
    await page.getByRole('dialog').waitFor()
    await inspection.look('a host that is added')
    expect(inspection.found).toEqual([])
  }, 300_000)
})

/** Uses nothing but the keyboard. */
class Keyboard {
  readonly unseen: string[] = []
  private readonly page: Page

  constructor(app: LaunchedApp) {
    this.page = app.page
  }

  press = (key: string) => this.page.keyboard.press(key)
  type = (text: string) => this.page.keyboard.type(text)

  /** The next stop; null where the focus leaves the page's own elements. */
  async next(key = 'Tab'): Promise<FocusStop | null> {
    await this.press(key)
    const stop = await focusStop(this.page)
    if (stop !== null && !stop.visible) this.unseen.push(stop.what)
    return stop
  }

  /** Goes on until it is there. */
  async reach(testid: string, key = 'Tab', most = 60): Promise<void> {
    for (let stops = 0; stops < most; stops++) if ((await this.next(key))?.testid === testid) return
    throw new Error(`${testid} cannot be reached with ${key}`)
  }

  /** All stops of a round through the window. */
  async round(most = 120): Promise<string[]> {
    const first = await this.next()
    const stops = [first?.what ?? '']
    for (let count = 0; count < most; count++) {
      const stop = await this.next()
      if (stop?.what === first?.what) return stops
      stops.push(stop?.what ?? '')
    }
    throw new Error(`The focus does not come round: ${stops.slice(-3).join('\n')}`)
  }
}

describe('without a mouse', () => {
  it('the main job is done, the focus is seen at each stop and is never caught', async () => {
    const app = await launchApp()
    const { page } = app
    const chat = new Chat(page)
    const keyboard = new Keyboard(app)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.getByTestId('explore-lab').waitFor()
    await keyboard.reach('explore-lab')
    await keyboard.press('Enter')
    await page.getByTestId('explore-lab').waitFor({ state: 'hidden' })
    await keyboard.reach('composer-input')
    await keyboard.type(deploy)
    await keyboard.press('Enter')
    const plan = chat.plan('awaiting_approval')
    await plan.waitFor(long)

    // The commands are read to their end before they can be approved.
    await keyboard.reach('approval-commands', 'Shift+Tab')
    await keyboard.press('End')
    await expect.poll(() => plan.getByTestId('approval-approve').isEnabled(), long).toBe(true)
    await keyboard.reach('approval-approve')
    await keyboard.press('Enter')
    await chat.answerWith('TypeType runs').last().waitFor(long)

    expect((await keyboard.round()).length).toBeGreaterThan(10)
    for (const name of ['nav-ops', 'nav-fleet', 'nav-knowledge', 'nav-settings']) {
      await keyboard.reach(name, 'Tab', 120)
      await keyboard.press('Enter')
      await keyboard.round(200)
    }
    expect(keyboard.unseen).toEqual([])
  }, 300_000)
})
