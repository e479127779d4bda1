import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { launchApp } from '../support/app'
import { ask } from '../support/in-page'

const host = (name: string) => ({ name, address: '127.0.0.1', port: 9, identity: { agent: true } })

it('B54 a configuration file edited by hand is in force at once; what is wrong with it is shown, and nothing is lost', async () => {
  const nomos = await launchApp({ config: { hosts: [host('strong')] } })
  const { page } = nomos
  const file = join(nomos.home, 'nomos.config.json')
  const edit = (content: unknown) => writeFileSync(file, JSON.stringify(content, null, 2))
  const hosts = async () => {
    const settings = await ask(page, 'settings.get', {})
    return settings.ok ? settings.data.config.hosts.map(({ name }) => name) : []
  }

  edit({ hosts: [host('strong'), host('quiet'), { name: 'wrong one' }], theme: 'dark' })
  const banner = page.locator('[data-code="config_problems"]')
  await banner.waitFor()
  await vi.waitFor(async () => expect(await hosts()).toEqual(['strong', 'quiet']))
  await nomos.screenshot('config-problems-banner')
  await banner.getByRole('button').click()
  const told = await page.getByTestId('config-problems').innerText()
  expect(told).toContain('hosts[2]')
  expect(told).toContain('theme')

  writeFileSync(file, '{ "hosts": [')
  await page.getByTestId('config-problems').getByText('cannot be read').waitFor()
  expect(await hosts()).toEqual(['strong', 'quiet'])
  await page.getByTestId('settings-notifications').click()
  await page.getByTestId('notify-signals').click()
  await page
    .getByTestId('config-problems')
    .getByText('wrong one')
    .or(page.getByText('hosts[2]'))
    .first()
    .waitFor()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    hosts: [{ name: 'strong' }, { name: 'quiet' }, { name: 'wrong one' }],
    notifications: { signals: false },
    theme: 'dark'
  })
  edit({ hosts: [host('strong')] })
  await page.getByTestId('config-problems').waitFor({ state: 'detached' })
  expect(nomos.problems).toEqual([])
})
