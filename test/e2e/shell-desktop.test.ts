import { describe, expect, it, vi } from 'vitest'
import type { ApprovalRoute, NomosEvent } from '../../src-preload/contract'
import { launchApp, type LaunchedApp } from '../support/app'
import { DesktopNotifications } from '../support/dbus-notifications'
import { DesktopTray } from '../support/dbus-tray'
import { ask, inPage } from '../support/in-page'
import { records } from '../support/records'

const eventually = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 20_000, interval: 50 })

/** The window is there, but not in front: the operator looks elsewhere. */
const lookElsewhere = ({ app }: LaunchedApp) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())

/** Starts the lab, and keeps what the page hears. */
async function inTheLab(config: Record<string, unknown> = {}) {
  const nomos = await launchApp({ config })
  await ask(nomos.page, 'lab.start', {})
  await ask(nomos.page, 'fleet.refresh', {})
  await inPage(nomos.page, `window.heard = []; window.nomos.onEvent(({ event }) => window.heard.push(event))`)
  return nomos
}

const heard = ({ page }: LaunchedApp, type: NomosEvent['type']) =>
  inPage<NomosEvent[]>(page, `return window.heard.filter((event) => event.type === '${type}')`)

async function request({ page }: LaunchedApp, action: string, target: string) {
  const requested = await ask(page, 'execution.request', { action, target })
  if (!requested.ok) throw new Error(requested.error.message)
  return requested.data
}

const decisions = ({ home }: LaunchedApp) =>
  records<{ state: string; route: ApprovalRoute | null }>(
    home,
    'SELECT state, route FROM approvals ORDER BY id'
  )

describe.runIf(process.platform === 'linux')('the desktop around the window', () => {
  it('a notification shows what waits, and a click leads there', async () => {
    const desktop = await DesktopNotifications.start()
    const nomos = await inTheLab()
    await lookElsewhere(nomos)
    const execution = await request(nomos, 'pct_shutdown', 'lxc:caddy')
    const shown = await desktop.waitFor(/Shut container caddy/)
    expect(shown.title).toMatch(/^Approve\? /)
    expect(shown.body).toContain('pct shutdown 101')

    desktop.press(shown)
    await eventually(async () =>
      expect(await heard(nomos, 'navigate')).toEqual([
        { type: 'navigate', to: { page: 'ops', executionId: execution.id } }
      ])
    )
    const visible = await nomos.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.isVisible()
    )
    expect(visible).toBe(true)
    expect(decisions(nomos)).toEqual([{ state: 'awaiting_approval', route: null }])
  })

  it('several that come together are one notification', async () => {
    const desktop = await DesktopNotifications.start()
    const nomos = await inTheLab()
    await lookElsewhere(nomos)
    await Promise.all([
      request(nomos, 'pct_shutdown', 'lxc:caddy'),
      request(nomos, 'pct_shutdown', 'lxc:pihole')
    ])
    const shown = await desktop.waitFor(/2 decisions wait for you/)
    expect(shown.body).toContain('caddy')
    expect(shown.body).toContain('pihole')
    expect(desktop.shown).toHaveLength(1)
  })

  it('while the window is in front, or the kind is turned off, nothing is shown', async () => {
    const desktop = await DesktopNotifications.start()
    const notifications = { approvals: false, executions: true, signals: true }
    const nomos = await inTheLab({ notifications })
    await lookElsewhere(nomos)
    const { approvalId, hash } = await request(nomos, 'pct_shutdown', 'lxc:caddy')
    const decision = { decision: 'approve', route: 'ops' } as const
    await ask(nomos.page, 'approval.decide', { id: approvalId ?? '', hash, ...decision })
    // The result comes after the request could have been told: it is the first there is.
    await desktop.waitFor(/^Done: Shut container caddy/)
    expect(desktop.shown).toHaveLength(1)
  })

  it('what fails and what ends have a switch each', async () => {
    const desktop = await DesktopNotifications.start()
    const nomos = await inTheLab({ notifications: { approvals: false, executions: false } })
    await lookElsewhere(nomos)
    const run = async (params: Record<string, unknown>) => {
      const asked = await ask(nomos.page, 'execution.request', {
        action: 'pct_exec',
        target: 'lxc:caddy',
        params
      })
      if (!asked.ok) throw new Error(asked.error.message)
      const decision = { hash: asked.data.hash, decision: 'approve', route: 'ops' } as const
      await ask(nomos.page, 'approval.decide', { id: asked.data.approvalId ?? '', ...decision })
    }
    await run({ command: ['touch', '/tmp/here'] })
    await eventually(async () =>
      expect(JSON.stringify(await heard(nomos, 'execution.changed'))).toContain('"succeeded"')
    )
    await run({ command: ['no-such-program', '--at-all'] })
    await desktop.waitFor(/^Failed: /)
    expect(desktop.shown).toHaveLength(1)
  })

  it('what the window in front shows is not told; what another place shows is', async () => {
    const desktop = await DesktopNotifications.start()
    const nomos = await inTheLab()
    await nomos.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      if (window) window.isFocused = () => true
    })
    await nomos.page.getByTestId('nav-ops').click()
    await request(nomos, 'pct_shutdown', 'lxc:caddy')
    await nomos.page.getByTestId('approval-card').first().waitFor()
    await nomos.page.getByTestId('nav-knowledge').click()
    await request(nomos, 'pct_shutdown', 'lxc:pihole')
    await desktop.waitFor(/pihole/)
    expect(desktop.shown).toHaveLength(1)
  })

  it('the tray, the menu, notifications and dialogs speak the chosen language', async () => {
    const desktop = await DesktopNotifications.start()
    const tray = await DesktopTray.start()
    const nomos = await inTheLab({ appearance: { language: 'de' } })
    expect((await tray.menu()).map(({ label }) => label)).toEqual([
      'Den Agenten anhalten',
      'Nomos öffnen',
      'Beenden'
    ])
    const menu = () =>
      nomos.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label))
    expect(await menu()).toEqual(['Datei', 'Bearbeiten', 'Ansicht', 'Fenster', 'Hilfe'])
    await lookElsewhere(nomos)
    await request(nomos, 'pct_shutdown', 'lxc:caddy')
    const shown = await desktop.waitFor(/^Zustimmen\? /)
    expect(shown.title).toBe('Zustimmen? Container caddy (101) auf strong herunterfahren')
    expect(shown.body).toContain('lxc:caddy auf strong')
    await tray.waitForEntry(/^1 Entscheidung wartet auf Sie$/)
    await tray.waitForEntry(/^Container caddy \(101\) auf strong herunterfahren/)

    const settings = await ask(nomos.page, 'settings.get', {})
    if (!settings.ok) throw new Error(settings.error.message)
    const { appearance } = settings.data.config
    await ask(nomos.page, 'settings.update', { appearance: { ...appearance, language: 'en' } })
    await tray.waitForEntry(/^1 decision waits for you$/)
    expect(await menu()).toEqual(['File', 'Edit', 'View', 'Window', 'Help'])
  })

  it('the tray shows what waits, approves what it shows whole, then what runs, and pauses the agent', async () => {
    const tray = await DesktopTray.start()
    const nomos = await inTheLab()
    const idle = await tray.icon()
    expect((await tray.menu()).map(({ label }) => label)).toEqual(['Pause the agent', 'Open Nomos', 'Quit'])

    await request(nomos, 'pct_shutdown', 'lxc:caddy')
    const waiting = await tray.waitForEntry(/^Shut container caddy/)
    expect(waiting.children.map(({ label }) => label)).toContain('pct shutdown 101 --timeout 60')
    const needsYou = await tray.icon()
    expect(needsYou).not.toBe(idle)

    await tray.press(await tray.waitForEntry(/^Approve$/))
    await eventually(async () => expect(decisions(nomos)).toEqual([{ state: 'approved', route: 'tray' }]))
    await eventually(async () =>
      expect((await tray.menu()).map(({ label }) => label)).not.toContain('1 decision waits for you')
    )

    await tray.press(await tray.waitForEntry(/^Pause/))
    await eventually(async () => expect((await tray.waitForEntry(/^Pause/)).checked).toBe(true))
  })

  it('what cannot be undone is not approved from the tray or a notification', async () => {
    const desktop = await DesktopNotifications.start()
    const tray = await DesktopTray.start()
    const nomos = await inTheLab()
    await lookElsewhere(nomos)
    const stopped = await inPage<string>(
      nomos.page,
      `const fleet = await window.nomos.request('fleet.get', {})
       return String(fleet.data.guests.find((guest) => guest.kind === 'lxc' && guest.status === 'stopped')?.vmid)`
    )
    const execution = await request(
      nomos,
      stopped === 'undefined' ? 'pct_stop' : 'pct_destroy',
      `lxc:${stopped === 'undefined' ? 'caddy' : stopped}`
    )
    expect(execution.risk).toBe('destructive')
    const shown = await desktop.waitFor(/^Approve\? /)
    expect(Object.values(shown.actions)).not.toContain('Approve')
    const entry = await tray.waitForEntry(new RegExp(`^${execution.title.slice(0, 12)}`))
    expect(entry.children.map(({ label }) => label)).toEqual([
      expect.stringContaining('destructive'),
      'Show in Nomos',
      'Deny'
    ])
    await tray.press(await tray.waitForEntry(/^Deny$/))
    await eventually(async () => expect(decisions(nomos)).toEqual([{ state: 'denied', route: 'tray' }]))
  })

  it('a closed window comes back from the tray, and the app quits from it', async () => {
    const tray = await DesktopTray.start()
    const nomos = await inTheLab()
    await request(nomos, 'pct_shutdown', 'lxc:caddy')
    await nomos.page.close()
    const opened = nomos.app.waitForEvent('window')
    await tray.press(await tray.waitForEntry(/^Open Nomos$/))
    expect(await ask(await opened, 'app.bootstrap', {})).toMatchObject({ ok: true })
    await tray.press(await tray.waitForEntry(/^Quit$/))
    expect(await nomos.ended).toBe(0)
  })

  it('a dialog of the system asks, if wanted, and its answer counts as such', async () => {
    const nomos = await inTheLab({
      appearance: { nativeApprovalDialog: true, theme: 'system', closeToTray: true }
    })
    await nomos.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = ((question: { buttons: string[] }) => {
        Object.assign(globalThis, { question })
        return Promise.resolve({ response: question.buttons.indexOf('Approve'), checkboxChecked: false })
      }) as unknown as typeof dialog.showMessageBox
    })
    await lookElsewhere(nomos)
    await request(nomos, 'pct_shutdown', 'lxc:caddy')
    await eventually(async () => expect(decisions(nomos)).toEqual([{ state: 'approved', route: 'dialog' }]))
    const question = await nomos.app.evaluate(() => (globalThis as unknown as { question: unknown }).question)
    expect(question).toMatchObject({
      defaultId: 0,
      cancelId: 0,
      buttons: ['Show in Nomos', 'Deny', 'Approve'],
      detail: expect.stringContaining('pct shutdown 101 --timeout 60') as string
    })
  })
})
