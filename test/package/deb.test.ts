import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Chat } from '../support/chat'

const run = promisify(execFile)
const deb = process.env['NOMOS_DEB']
const installed = '/usr/lib/nomos'
const long = { timeout: 90_000 }
const isRoot = process.getuid?.() === 0
const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

/** Only an administrator can install; elsewhere there is nothing to try. */
describe.skipIf(!isRoot || deb === undefined)('the deb', () => {
  beforeAll(async () => {
    await run('apt-get', ['install', '-y', '--no-install-recommends', deb ?? ''], { env: environment })
  }, 300_000)
  afterAll(async () => {
    await run('apt-get', ['remove', '-y', 'nomos'], { env: environment })
  }, 120_000)

  it('is installed with its menu entry, its icons and the helper of the sandbox', async () => {
    expect((await run('dpkg', ['-s', 'nomos'])).stdout).toMatch(/Status: install ok installed/)
    expect(existsSync('/usr/share/applications/nomos.desktop')).toBe(true)
    expect(existsSync('/usr/share/icons/hicolor/256x256/apps/nomos.png')).toBe(true)
    const helper = statSync(join(installed, 'chrome-sandbox'))
    expect([helper.uid, (helper.mode & 0o7777).toString(8)]).toEqual([0, '4755'])
  })

  it('has its native parts beside the archive, no second app folder and its fuses set', async () => {
    const unpacked = readdirSync(join(installed, 'resources/app.asar.unpacked'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.node'))
    expect(unpacked).toContainEqual(expect.stringContaining('better_sqlite3.node'))
    expect(unpacked).toContainEqual(expect.stringContaining('keytar.node'))
    expect(existsSync(join(installed, 'resources/app'))).toBe(false)

    const wire = await getCurrentFuseWire(join(installed, 'nomos'))
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE)
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(FuseState.DISABLE)
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.DISABLE)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(FuseState.DISABLE)
  })

  it('starts from its command and goes from a sentence to a plan that waits', async () => {
    const page = await startInstalled()
    const chat = new Chat(page)
    await page.getByTestId('explore-lab').waitFor(long)
    await chat.exploreLab()
    await chat.say(
      "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"
    )
    await chat.plan('awaiting_approval').waitFor(long)
    const commands = await chat.plan('awaiting_approval').getByTestId('approval-commands').allInnerTexts()
    expect(commands.join('\n')).toContain('pct create')
  })
})

/** Starts what was installed and drives it over Chromium's own port: Electron's inspector is off in it. */
async function startInstalled(): Promise<Page> {
  const home = mkdtempSync(join(tmpdir(), 'nomos-installed-'))
  const app = spawn('/usr/bin/nomos', ['--no-sandbox', '--remote-debugging-port=0'], {
    env: { ...process.env, NOMOS_HOME: home, NOMOS_LAB_PACE: '0.1' },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = new Promise((done) => app.once('exit', done))
  onTestFinished(async () => {
    app.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  const browser = await chromium.connectOverCDP(await debuggingAddress(app))
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The app has no window.')
  return context.pages()[0] ?? (await context.waitForEvent('page'))
}

async function debuggingAddress(app: ChildProcess): Promise<string> {
  if (app.stderr === null) throw new Error('Its output cannot be read.')
  const said: string[] = []
  for await (const line of createInterface({ input: app.stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      app.stderr.resume()
      return address
    }
    said.push(line)
  }
  throw new Error(`It ended before it listened:\n${said.join('\n')}`)
}
