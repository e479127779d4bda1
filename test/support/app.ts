import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Where screenshots of the tests are put. */
const screenshots = join(root, 'test-results', 'screenshots')

export interface LaunchOptions {
  /** A home that is used again; without it, a new one that is removed after the test. */
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Written to the home's `nomos.config.json`. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Further arguments on the command line. */
  readonly args?: readonly string[]
}

export interface LaunchedApp {
  readonly app: ElectronApplication
  /** The first window's page. */
  readonly page: Page
  readonly home: string
  /** Errors that the page threw or wrote to its console. */
  readonly problems: readonly string[]
  /** What the app printed since it was driven. */
  readonly printed: () => string
  /** SIGKILL, to the app and its helper processes: no chance to tidy up. */
  kill(): Promise<void>
  /** Quits as the operator does. Gives the exit code. */
  close(): Promise<number | null>
  /** Resolves with the exit code when the app ends by itself. */
  readonly ended: Promise<number | null>
  /** Ends the app and removes a home made for it. Happens by itself after the test that started it. */
  dispose(): Promise<void>
  /** Saves what the window shows; gives the file. */
  screenshot(name: string): Promise<string>
}

/** Longest time for the app to come up, ms: many times what it takes on a busy machine. */
const launchMs = 40_000

let electron: string | undefined
/** The Electron that `npm start` uses. */
export const electronPath = (): string =>
  (electron ??= execFileSync(process.execPath, [join(root, 'scripts/electron-path.mjs')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  }).trim())

/** The arguments and the environment the app is started with, for a process that Playwright does not drive. */
export function commandLine(home: string, { env = {}, args = [] }: LaunchOptions = {}) {
  // Chromium refuses to run as root inside its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name, value]) => value !== undefined && !/^(VITEST|NODE_|NOMOS_(HOME|CONFIG))/.test(name)
    )
  ) as Record<string, string>
  return {
    args: [...sandbox, root, ...args],
    env: { ...inherited, NOMOS_HOME: home, NOMOS_LAB_PACE: '0.1', ...env }
  }
}

/** Starts the built app as a user does, on a home of its own. Ends with the test if the test does not end it. */
export async function launchApp(options: LaunchOptions = {}): Promise<LaunchedApp> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'nomos-home-'))
  mkdirSync(home, { recursive: true })
  if (options.config) writeFileSync(join(home, 'nomos.config.json'), JSON.stringify(options.config, null, 2))

  const launch = () =>
    _electron.launch({
      executablePath: electronPath(),
      cwd: root,
      timeout: launchMs,
      ...commandLine(home, options)
    })
  // Under Xvfb the GPU process now and then dies while Electron starts, and then nothing ever comes up.
  const app = await launch().catch(launch)
  const child = app.process()
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((done) =>
    child.exitCode === null ? child.once('exit', done) : done(child.exitCode)
  )

  const problems: string[] = []
  app.on('window', (page) => {
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
  })

  const end = async (how: () => Promise<unknown>) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    // The connection to a killed app ends with an error, which is what was wanted.
    await how().catch(() => undefined)
    return await ended
  }
  const kill = () => end(async () => killGroup(child.pid))
  const close = () => end(() => app.close())
  const dispose = async () => {
    await kill()
    if (options.home === undefined)
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  afterThisTest(dispose)

  const page = await app.firstWindow()
  await canBeAsked(page)
  return {
    app,
    page,
    home,
    problems,
    printed: () => printed,
    kill: async () => void (await kill()),
    close,
    ended,
    dispose,
    async screenshot(name) {
      mkdirSync(screenshots, { recursive: true })
      const path = join(screenshots, `${name}.png`)
      await (app.windows()[0] ?? page).screenshot({ path })
      return path
    }
  }
}

/**
 * Waits until a window shows something and can be asked. Rarely Playwright misses that the page of a window has begun,
 * because it was quicker; whatever is evaluated then waits for ever. Loaded anew, it is seen.
 */
export async function canBeAsked(page: Page): Promise<void> {
  // The window opens before everything behind it is ready.
  const shown = () => page.locator('.window, [data-testid="failure"]').first().waitFor()
  await shown()
  const answers = page.evaluate('true').catch(() => false)
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, 10_000, false).unref())
  if (await Promise.race([answers, late])) return
  await page.reload()
  await shown()
}

/** Playwright makes the app the leader of a process group. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
}

/** Whoever starts an app outside a test, such as in a hook, disposes of it. */
function afterThisTest(tidy: () => Promise<void>): void {
  try {
    onTestFinished(tidy)
  } catch {
    // No test runs.
  }
}
