import { execFile } from 'node:child_process'
import { readFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import type { ExecutionView, SequencedEvent } from '../../src-preload/contract'
import { canBeAsked, commandLine, electronPath, launchApp, type LaunchedApp } from '../support/app'
import { ask, inPage } from '../support/in-page'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'

/** Waits until what is expected is so. */
const eventually = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 20_000, interval: 50 })

/** Starts the app a second time on the same home, and gives how that ended. */
async function startAgain(home: string, ...args: string[]) {
  const second = commandLine(home, { args })
  return await promisify(execFile)(electronPath(), second.args, { env: second.env, timeout: 60_000 })
}

const approvalStates = (home: string) => records<{ state: string }>(home, 'SELECT state FROM approvals')

/** An execution of the lab that waits for the operator. */
async function waitingExecution({ page }: LaunchedApp): Promise<ExecutionView> {
  await ask(page, 'lab.start', {})
  await ask(page, 'fleet.refresh', {})
  const requested = await ask(page, 'execution.request', { action: 'pct_shutdown', target: 'lxc:caddy' })
  if (!requested.ok) throw new Error(requested.error.message)
  return requested.data
}

describe('one instance on a home', () => {
  it('F28 B53 a second start brings the first to the front, touches nothing and approves nothing', async () => {
    // Nothing looks at the fleet meanwhile: whoever writes is the second start.
    const nomos = await launchApp({ config: { signals: { enabled: false, intervalSeconds: 3600 } } })
    const execution = await waitingExecution(nomos)
    await nomos.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
    const lock = readFileSync(join(nomos.home, 'nomos.lock'), 'utf8')
    const before = statSync(join(nomos.home, 'nomos.db-wal')).mtimeMs

    const link = `nomos://approve?id=${execution.approvalId}&hash=${execution.hash}`
    const { stderr } = await startAgain(nomos.home, link, '--approve', execution.approvalId ?? '')
    expect(stderr).toContain('Nomos is already open')

    const isVisible = () =>
      nomos.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isVisible())
      )
    await eventually(async () => expect(await isVisible()).toEqual([true]))
    expect(approvalStates(nomos.home)).toEqual([{ state: 'awaiting_approval' }])
    expect(readFileSync(join(nomos.home, 'nomos.lock'), 'utf8')).toBe(lock)
    expect(statSync(join(nomos.home, 'nomos.db-wal')).mtimeMs).toBe(before)
  })

  it('B53 a first start with such an argument approves nothing either', async () => {
    const first = await launchApp()
    const execution = await waitingExecution(first)
    await first.close()
    const again = await launchApp({
      home: first.home,
      args: [`nomos://approve?id=${execution.approvalId}&hash=${execution.hash}`]
    })
    expect(await ask(again.page, 'app.bootstrap', {})).toMatchObject({ ok: true })
    expect(approvalStates(first.home)).toEqual([{ state: 'awaiting_approval' }])
  })

  it('quitting ends with 0, lets the next one in and leaves a sound database', async () => {
    const nomos = await launchApp()
    await waitingExecution(nomos)
    expect(await nomos.close()).toBe(0)
    expect(existsSync(join(nomos.home, 'nomos.lock'))).toBe(false)
    expect(records(nomos.home, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })
})

describe('B13 a decision with something altered', () => {
  it('changes nothing, says why, and is in the audit trail', async () => {
    const nomos = await launchApp()
    const { approvalId, hash } = await waitingExecution(nomos)
    const decide = (id: string, withHash: string) =>
      ask(nomos.page, 'approval.decide', { id, hash: withHash, decision: 'approve', route: 'chat' })
    expect(
      await decide(
        approvalId ?? '',
        hash.replace(/^./, (c) => (c === '0' ? '1' : '0'))
      )
    ).toMatchObject({
      ok: false,
      error: { code: 'approval_changed' }
    })
    expect(await decide('another', hash)).toMatchObject({ ok: false, error: { code: 'approval_not_found' } })
    expect(approvalStates(nomos.home)).toEqual([{ state: 'awaiting_approval' }])
    const audit = await ask(nomos.page, 'audit.list', {})
    expect(JSON.stringify(audit)).toContain('approval_changed')
  })
})

describe('the window comes and goes, the work stays', () => {
  it('F11 closed while something waits, the app stays; opened again, the window shows it', async () => {
    const nomos = await launchApp()
    const execution = await waitingExecution(nomos)
    await nomos.page.close()
    const opened = nomos.app.waitForEvent('window')
    await startAgain(nomos.home)
    const page = await opened
    await canBeAsked(page)
    const reply = await ask(page, 'app.bootstrap', {})
    expect(reply.ok && reply.data.approvals.map(({ id }) => id)).toEqual([execution.approvalId])
  })

  it('closed while nothing runs, the app ends', async () => {
    const nomos = await launchApp()
    await nomos.page.getByTestId('explore-lab').waitFor()
    await nomos.page.close()
    expect(await nomos.ended).toBe(0)
  })

  it('F10 a page that crashes is replaced, and the new one has everything and hears what comes', async () => {
    const nomos = await launchApp()
    const execution = await waitingExecution(nomos)
    await nomos.app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const loadedAnew = new Promise<void>((done) => contents?.once('did-finish-load', () => done()))
      contents?.forcefullyCrashRenderer()
      await loadedAnew
    })
    /** Playwright gives a crashed page up, so the new one is asked through the main process. */
    const inNewPage = (code: string) =>
      nomos.app.evaluate(
        async ({ BrowserWindow }, script) =>
          (await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(script)) as unknown,
        code
      )
    expect(await inNewPage(`window.nomos.request('app.bootstrap', {})`)).toMatchObject({
      ok: true,
      data: { approvals: [{ id: execution.approvalId }] }
    })
    await inNewPage(`window.heard = []; window.nomos.onEvent((event) => window.heard.push(event)); 0`)
    await inNewPage(`window.nomos.request('session.create', {})`)
    await eventually(async () =>
      expect(
        ((await inNewPage('window.heard')) as SequencedEvent[]).map(({ event }) => event.type)
      ).toContain('session.changed')
    )
  })

  it('F10 a page that is loaded anew in the middle hears every event after its start without a gap', async () => {
    const { page } = await launchApp()
    await page.reload()
    await inPage(page, `window.heard = []; window.nomos.onEvent((event) => window.heard.push(event.seq))`)
    const reply = await ask(page, 'app.bootstrap', {})
    for (let i = 0; i < 5; i++) await ask(page, 'session.create', {})
    await eventually(async () =>
      expect((await inPage<number[]>(page, 'return window.heard')).length).toBeGreaterThan(4)
    )
    const heard = await inPage<number[]>(page, 'return window.heard')
    const after = heard.filter((seq) => reply.ok && seq > reply.data.seq)
    expect(after).toEqual(after.map((_, index) => (after[0] ?? 0) + index))
  })

  it('opens where it was closed, in its own size', async () => {
    const first = await launchApp()
    await first.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 120, y: 90, width: 1010, height: 720 })
    )
    await first.close()
    const again = await launchApp({ home: first.home })
    const bounds = await again.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getBounds()
    )
    expect(bounds).toMatchObject({ width: 1010, height: 720 })
  })
})

describe('when Nomos cannot start', () => {
  it('F35 a newer database is left as it is; a window says why, and the exit code is 1', async () => {
    const home = tempFolder()
    const file = join(home, 'nomos.db')
    const db = new Database(file)
    db.pragma('journal_mode = WAL')
    db.pragma('user_version = 9999')
    db.close()
    const before = readFileSync(file)

    const nomos = await launchApp({ home })
    await nomos.page.locator('[data-testid="failure"][data-code="database_newer"]').waitFor()
    await nomos.screenshot('database-newer')
    await nomos.page.close()
    expect(await nomos.ended).toBe(1)
    expect(readFileSync(join(home, 'logs/nomos.log'), 'utf8')).toContain('database_newer')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('a database that is none is left as it is, and told', async () => {
    const home = tempFolder()
    writeFileSync(
      join(home, 'nomos.db'),
      'this is no database, and long enough to be looked at as one'.repeat(100)
    )
    const nomos = await launchApp({ home })
    await nomos.page.locator('[data-testid="failure"][data-code="database_unreadable"]').waitFor()
    expect(readFileSync(join(home, 'nomos.db'), 'utf8')).toContain('this is no database')
  })

  it('a home that another program holds is told with its process', async () => {
    const home = tempFolder()
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const holder = { pid: process.pid, started: `${boot}/${ticks}`, program: 'mcp', since: Date.now() }
    writeFileSync(join(home, 'nomos.lock'), JSON.stringify(holder))
    const nomos = await launchApp({ home })
    const failure = nomos.page.locator('[data-testid="failure"][data-code="home_locked"]')
    await failure.waitFor()
    expect(await failure.innerText()).toContain(`process ${process.pid}`)
    expect(existsSync(join(home, 'nomos.db'))).toBe(false)
  })
})
