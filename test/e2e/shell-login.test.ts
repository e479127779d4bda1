import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { commandLine, electronPath, launchApp } from '../support/app'
import { DesktopTray } from '../support/dbus-tray'
import { ask } from '../support/in-page'
import { tempFolder } from '../support/temp'

const eventually = <T>(expectation: () => T) => vi.waitFor(expectation, { timeout: 20_000, interval: 50 })

describe.runIf(process.platform === 'linux')('starting with the desktop session', () => {
  it('is an entry of the desktop, written when it is wanted and gone when it is not', async () => {
    const settings = tempFolder()
    const nomos = await launchApp({ env: { XDG_CONFIG_HOME: settings } })
    const { page, home } = nomos
    await page.getByTestId('nav-settings').click()
    await page.getByTestId('settings-appearance').click()
    await page.getByTestId('start-at-login').click()
    const folder = join(settings, 'autostart')
    await eventually(() => expect(readdirSync(folder)).toEqual([expect.stringMatching(/^nomos.*\.desktop$/)]))
    const entry = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')
    expect(entry).toContain('[Desktop Entry]\nType=Application\nName=Nomos\n')
    expect(entry).toMatch(/^Exec=env NOMOS_HOME=\S+ \S+ .*--hidden$/m)
    expect(entry).toContain(`NOMOS_HOME=${home}`)
    await nomos.screenshot('settings-appearance')
    await page.getByTestId('start-at-login').click()
    await eventually(() => expect(readdirSync(folder)).toEqual([]))
  })

  it('that cannot be set is told, and the app goes on', async () => {
    const nomos = await launchApp({
      env: { XDG_CONFIG_HOME: '/dev/null' },
      config: { startup: { atLogin: true } }
    })
    await nomos.page.locator('[data-code="autostart_failed"]').waitFor()
    expect(existsSync('/dev/null/autostart')).toBe(false)
  })

  it('it is then in the tray without its window, which opens from there', async () => {
    const tray = await DesktopTray.start()
    const app = await _electron.launch({
      executablePath: electronPath(),
      ...commandLine(tempFolder(), { args: ['--hidden'] })
    })
    onTestFinished(() => app.close())
    await tray.waitForEntry(/^Open Nomos$/)
    expect(app.windows()).toEqual([])
    const opened = app.waitForEvent('window')
    await tray.press(await tray.waitForEntry(/^Open Nomos$/))
    expect(await ask(await opened, 'app.bootstrap', {})).toMatchObject({ ok: true })
  })
})

it('the title of the window tells how many decisions wait, if that is wanted', async () => {
  const nomos = await launchApp()
  const title = () => nomos.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())
  await ask(nomos.page, 'lab.start', {})
  await ask(nomos.page, 'fleet.refresh', {})
  expect(await title()).toBe('Nomos')
  await ask(nomos.page, 'execution.request', { action: 'pct_shutdown', target: 'lxc:caddy' })
  await vi.waitFor(async () => expect(await title()).toBe('(1) Nomos'))
  const settings = await ask(nomos.page, 'settings.get', {})
  if (!settings.ok) throw new Error(settings.error.message)
  const { appearance } = settings.data.config
  await ask(nomos.page, 'settings.update', { appearance: { ...appearance, badge: false } })
  await vi.waitFor(async () => expect(await title()).toBe('Nomos'))
})
