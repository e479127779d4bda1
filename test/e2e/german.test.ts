import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { Chat } from '../support/chat'
import { inPage } from '../support/in-page'

/** Pieces of what the core says in English: of titles, undo, rules, errors, signals, tools, proofs, and numbers. */
const english: readonly RegExp[] = [
  /\b(?:Create|Start|Shut|Stop|Reboot|Destroy|Clone|Restart|Write|Run|Take|Install|Set|Control|Copy|Put) (?:a |an |container|virtual|service|snapshot|updates|all |")/,
  /\b(?:Reading|Listing|Checking|Requesting|Proposing|Looking up|Cancelling) (?:the|a|of|on|services|containers|hosts)?\b/,
  /\b(?:removes it again|stops it again|starts it again|Nothing to undo|Cannot be undone|Delete the snapshot)\b/,
  /\b(?:By default|Your rule:|always ask|Covered by|is approved as a whole|You allowed)\b/,
  /\bis not on the list of what only reads\b/,
  /\b(?:exists and is|is running|is stopped|is active|still exists|up to date)\b/,
  /\b(?:has failed|needs a reboot|updates? waits?|% full|are free|days old|cannot be reached|given up on it)\b/,
  /\b(?:Default:|For the root disk|Start it afterwards|Only these; default)\b/,
  /\b(?:Add it|Look at|Try again|Request it|Nothing was)\b/,
  /\d\.\d (?:[KMGT]iB|s)\b/,
  /\b20\d\d-\d\d-\d\d \d\d:\d\d\b/
]

/** Everything that is read on the screen or aloud, but for commands, what hosts print, and what the two speakers write. */
const said = (page: Page): Promise<readonly string[]> =>
  inPage(
    page,
    `const others = '.markdown, pre, code, textarea, input, .mono, [role="log"], [data-testid="approval-commands"]'
    const isSaid = (text) =>
      text.parentElement?.closest(others) === null && text.parentElement.checkVisibility() && text.data.trim() !== ''
    const words = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) if (isSaid(walker.currentNode)) words.push(walker.currentNode.data.trim())
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder]'))
      for (const name of ['title', 'aria-label', 'placeholder']) words.push(element.getAttribute(name) ?? '')
    return words`
  )

const englishIn = async (page: Page): Promise<readonly string[]> =>
  (await said(page)).filter((text) => english.some((pattern) => pattern.test(text)))

describe('a window in German', () => {
  it('says in German what the core says, from the plan to the settings', async () => {
    const { page, problems } = await launchApp({ config: { appearance: { language: 'de' } } })
    const chat = new Chat(page)
    const isGerman = async (place: string) =>
      expect({ place, english: await englishIn(page) }).toEqual({ place, english: [] })
    await chat.exploreLab()

    await chat.say('deploy TypeType on strong as an LXC')
    const plan = chat.plan('awaiting_approval')
    await plan.getByText('Container typetype (105) auf strong anlegen').waitFor()
    await plan.getByText('pct_destroy lxc:105 entfernt ihn wieder, mit allem darin.').waitFor()
    await isGerman('the plan')
    await chat.readToTheEnd(plan)
    await plan.getByTestId('approval-approve').click()
    await chat.answerWith('TypeType runs').waitFor()
    await isGerman('the deployment')

    await chat.newSession()
    await chat.say('restart caddy')
    const card = chat.approval('awaiting_approval')
    await card.getByText('caddy.service in caddy (101) auf strong neu starten').waitFor()
    await card.getByText('Dienstaktionen fragen, wenn keine Regel etwas anderes sagt.').waitFor()
    await isGerman('the approval')
    await card.getByTestId('approval-deny').click()
    await chat.answerWith('nothing was changed').waitFor()

    await page.getByTestId('nav-ops').click()
    await chat.executions('succeeded').first().waitFor()
    await isGerman('Ops')
    await page.locator('label').filter({ hasText: 'Prüfprotokoll' }).click()
    await page
      .getByTestId('audit-row')
      .filter({ hasText: 'Container typetype (105) auf strong anlegen' })
      .first()
      .waitFor()
    await isGerman('the audit trail')

    await page.getByTestId('nav-fleet').click()
    await page.getByTestId('signal-row').first().waitFor()
    await page.getByTestId('lxc-row').first().waitFor()
    await isGerman('the fleet')
    await page.getByTestId('container-new').click()
    await page.getByTestId('action-form').waitFor()
    await isGerman('the form')
    await page.keyboard.press('Escape')

    await page.getByTestId('lxc-row').filter({ hasText: 'jellyfin' }).click()
    await page.getByTestId('guest-config').waitFor()
    await isGerman('the guest')
    for (const tab of ['snapshots', 'updates', 'executions', 'actions']) {
      await page.locator(`[data-testid="tab"][data-id="${tab}"]`).click()
      await page.locator(`[data-testid="tab"][data-id="${tab}"][aria-selected="true"]`).waitFor()
      await isGerman(`the guest's ${tab}`)
    }

    await page.getByTestId('nav-settings').click()
    for (const section of await page.locator('[data-testid^="settings-"]').all()) {
      await section.click()
      await isGerman((await section.getAttribute('data-testid')) ?? '')
    }
    expect(problems).toEqual([])
  })
})
