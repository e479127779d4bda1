import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchApp } from '../support/app'
import { tempFolder } from '../support/temp'

describe('a skill of the operator', () => {
  it('B50: waits on the Knowledge page until it is allowed, and again after an edit', async () => {
    const home = tempFolder()
    const folder = join(home, 'skills', 'move-route')
    const file = join(folder, 'SKILL.md')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      file,
      '---\nname: move-route\ndescription: How a route of caddy is moved here.\n---\n## Steps\n\n1. Read the Caddyfile.\n2. Say what would change.\n'
    )
    for (const [name, text] of [
      ['notes', '# Notes that are no skill'],
      ['wrong-name', '---\nname: other\ndescription: x\n---\nx']
    ] as const) {
      mkdirSync(join(home, 'skills', name))
      writeFileSync(join(home, 'skills', name, 'SKILL.md'), text)
    }
    const { page, screenshot } = await launchApp({ home })
    await page.getByTestId('nav-knowledge').click()
    await page.getByRole('radiogroup').getByText('Skills').click()
    const entry = page.getByTestId('skill').filter({ hasText: 'move-route' })
    await entry.getByText('Not allowed yet').waitFor()
    await page.locator('[data-testid="skill-refused"][data-fault="other_name"]').waitFor()
    await page.getByTestId('skill-refused').filter({ hasText: 'does not begin with front matter' }).waitFor()
    await screenshot('skill-refused')
    await entry.click()
    await page.locator('[data-testid="skill-leave"][data-state="new"]').waitFor()
    await screenshot('skill-waits')
    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot('skill-waits-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByTestId('skill-allow').click()
    await page.locator('[data-testid="skill-leave"][data-state="allowed"]').waitFor()
    expect(await entry.getByText('Not allowed yet').count()).toBe(0)

    writeFileSync(file, readFileSync(file, 'utf8') + '3. And one thing more.\n')
    await page.getByTestId('nav-chat').click()
    await page.getByTestId('nav-knowledge').click()
    await page.locator('[data-testid="skill-leave"][data-state="changed"]').waitFor()
    await page.getByText('And one thing more.').waitFor()
    await screenshot('skill-changed')

    await page.getByTestId('nav-ops').click()
    await page.getByRole('radiogroup').getByText('Audit trail').click()
    await page.getByText('Skills, MCP').click()
    await page.getByTestId('audit-row').filter({ hasText: 'Skill allowed by you: move-route' }).waitFor()
    await screenshot('skill-audit')
  })
})
