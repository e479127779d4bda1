import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Chat } from '../support/chat'
import { records } from '../support/records'
import { tempFolder } from '../support/temp'

const run = promisify(execFile)
const deb = process.env['NOMOS_DEB']
const installed = '/usr/lib/nomos'
const long = { timeout: 90_000 }
const isRoot = process.getuid?.() === 0
// Chromium refuses to run as root inside its sandbox.
const sandbox = isRoot ? ['--no-sandbox'] : []
const environment: NodeJS.ProcessEnv = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

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

  it('starts from its command and does the main job: from a sentence to TypeType, checked at its address', async () => {
    const { page, home } = await startInstalled()
    const chat = new Chat(page)
    await page.getByTestId('explore-lab').waitFor(long)
    await chat.exploreLab()
    await chat.say(
      "deploy TypeType on strong as an LXC; it's github.com/Priveetee/TypeType, use tube.hubris.network"
    )
    await chat.plan('awaiting_approval').waitFor(long)
    const commands = await chat.plan('awaiting_approval').getByTestId('approval-commands').allInnerTexts()
    expect(commands.join('\n')).toContain('pct create')

    await chat.say('run all yourself')
    await chat.answerWith('TypeType runs').last().waitFor({ timeout: 180_000 })
    const rows = records<{ action: string; state: string }>(home, 'SELECT action, state FROM executions')
    expect(rows).toContainEqual({ action: 'pct_create', state: 'succeeded' })
    expect(rows.filter(({ state }) => !['succeeded', 'failed'].includes(state))).toEqual([])
    await page.getByTestId('nav-fleet').click()
    await page.getByTestId('lxc-row').filter({ hasText: 'typetype' }).waitFor(long)
  })

  it('is an MCP server without a screen: by itself, and for the app that is open on the same home', async () => {
    const home = tempFolder()
    expect(await toolsOf(home)).toEqual(expect.arrayContaining(['list_hosts', 'request_execution']))
    const open = await startInstalled()
    expect(await toolsOf(open.home)).toEqual(expect.arrayContaining(['list_hosts', 'request_execution']))
  })
})

/** What an MCP client sees that starts the installed program, as it would from its configuration. */
async function toolsOf(home: string): Promise<string[]> {
  const { DISPLAY: _, ...env } = environment
  const transport = new StdioClientTransport({
    command: '/usr/bin/nomos',
    args: ['mcp', ...sandbox],
    env: { ...(env as Record<string, string>), NOMOS_HOME: home },
    stderr: 'ignore'
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const called = await client.callTool({ name: 'list_hosts', arguments: {} })
  expect(called.isError ?? false).toBe(false)
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

/** Starts what was installed and drives it over Chromium's own port: Electron's inspector is off in it. */
async function startInstalled(): Promise<{ page: Page; home: string }> {
  const home = mkdtempSync(join(tmpdir(), 'nomos-installed-'))
  const app = spawn('/usr/bin/nomos', [...sandbox, '--remote-debugging-port=0'], {
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
  return { page: context.pages()[0] ?? (await context.waitForEvent('page')), home }
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
