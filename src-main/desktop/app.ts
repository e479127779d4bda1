import { join } from 'node:path'
import { app, nativeTheme, session } from 'electron'
import { lockHome, type HomeLock } from '../base/home-lock'
import { fileLogger, silentLogger, type Logger } from '../base/log'
import { fail, messageOf, ok, type AppError, type Result } from '../base/result'
import { createDispatch } from '../ipc/dispatch'
import { createHandlers } from '../ipc/handlers'
import type { Services } from '../ipc/services'
import { watchSettings } from '../ipc/settings-view'
import { startApprovalDialogs } from './approval-dialog'
import { listAssets, type Assets } from './assets'
import { createShell } from './desktop-shell'
import { Guide } from './guide'
import { harden } from './hardening'
import { useHome } from './home'
import { startBridge } from './ipc-bridge'
import { live } from './life'
import { setMenu } from './menu'
import { startNotifications } from './notifications'
import { registerScheme, servePages, type AppPages } from './protocol'
import { startTray } from './tray'
import { MainWindow } from './window'

/** What the desktop knows before the core is built. */
interface DesktopContext {
  /** Folder for everything the app writes; locked for this program. */
  readonly home: string
  /** The app's own folder, with `migrations`, `resources`, `skills` and `out`. */
  readonly appFolder: string
  readonly version: string
  readonly logsFolder: string
  readonly log: Logger
}

type BuildServices = (context: DesktopContext) => Promise<Result<Services>>

/**
 * Runs Nomos as a desktop app: one instance on one home. If it cannot start, a window says why, and closing it ends the
 * program with exit code 1. Returns before Electron is ready, which waits for the main module to be loaded.
 */
export function startDesktop(build: BuildServices): void {
  const home = useHome()
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write('Nomos is already open here; its window comes to the front.\n')
    app.exit(0)
    return
  }
  const start = new Start(home)
  registerScheme()
  harden((level, message, data) => start.log.log(level, 'window', message, data))
  void start.run(build)
}

/** The steps from Electron being ready to the window being open. */
class Start {
  log: Logger = silentLogger
  private readonly appFolder = app.getAppPath()
  private window: MainWindow | null = null
  private guide: Guide | null = null
  private lock: HomeLock | null = null

  constructor(private readonly home: string) {
    // The second one's arguments are nobody's decision and are not looked at: it only asks for the window.
    app.on('second-instance', () => this.window?.show())
    process.on('uncaughtException', (error) => this.note('an error was not handled', error))
    process.on('unhandledRejection', (reason) => this.note('an error was not handled', reason))
  }

  async run(build: BuildServices): Promise<void> {
    await app.whenReady()
    const assets = listPage(join(this.appFolder, 'out/renderer'))
    const pages = servePages(session.defaultSession, assets.ok ? assets.value : new Map())
    const window = this.openable(pages)
    const services = assets.ok ? await this.buildServices(build) : assets
    if (services.ok) this.open(services.value, window)
    else this.fail(services.error, pages, window)
  }

  private openable(pages: AppPages): MainWindow {
    this.window = new MainWindow({
      home: this.home,
      appFolder: this.appFolder,
      pages,
      log: { log: (...entry) => this.log.log(...entry) },
      onPageStart: () => this.guide?.onPageStart()
    })
    return this.window
  }

  private async buildServices(build: BuildServices): Promise<Result<Services>> {
    try {
      const lock = lockHome(this.home, 'app')
      if (!lock.ok) return lock
      this.lock = lock.value
      const logsFolder = join(this.home, 'logs')
      this.log = fileLogger(logsFolder)
      const { home, appFolder, log } = this
      return await build({ home, appFolder, version: app.getVersion(), logsFolder, log })
    } catch (error) {
      this.note('the start failed', error)
      return fail(
        'start_failed',
        `Nomos could not be started: ${messageOf(error)}`,
        `The log is in ${this.home}.`
      )
    }
  }

  private open(services: Services, window: MainWindow): void {
    const guide = new Guide(services.store, () => window.show())
    this.guide = guide
    const shell = createShell(() => window.current)
    const lead = guide.lead.bind(guide)

    followTheme(services)
    const stopWatching = watchSettings(services)
    const bridge = startBridge({
      window: () => window.current,
      dispatch: createDispatch(createHandlers(services, shell), services.log),
      bus: services.store.bus,
      log: services.log,
      onBootstrap: () => guide.onBootstrap()
    })
    live({
      services,
      window,
      stopAsking: async () => void (await Promise.all([stopWatching(), bridge.close()])),
      release: () => this.lock?.release()
    })
    setMenu({
      lead,
      newSession: () => void newSession(services, guide),
      showLogs: () => void shell.showFolder(services.logsFolder)
    })
    window.show()
    const beside = { services, isInFront: () => window.isInFront, lead }
    startNotifications(beside)
    startApprovalDialogs(beside)
    startTray({
      services,
      appFolder: this.appFolder,
      lead,
      open: () => window.show(),
      quit: () => app.quit()
    })
  }

  private fail(error: AppError, pages: AppPages, window: MainWindow): void {
    process.stderr.write(`Nomos cannot start: ${error.message}${error.hint ? `\n${error.hint}` : ''}\n`)
    this.log.log('error', 'desktop', 'Nomos cannot start', { code: error.code, message: error.message })
    this.lock?.release()
    app.on('window-all-closed', () => app.exit(1))
    app.on('before-quit', () => app.exit(1))
    pages.explain(error)
    window.showFailure()
  }

  private note(what: string, error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined
    this.log.log('error', 'desktop', what, { error: messageOf(error), stack })
  }
}

function listPage(folder: string): Result<Assets> {
  try {
    return ok(listAssets(folder))
  } catch (error) {
    return fail(
      'app_incomplete',
      `The window's own files cannot be read: ${messageOf(error)}`,
      'Install Nomos again; from its source, run `npm run build`.'
    )
  }
}

function followTheme({ config }: Services): void {
  const apply = () => {
    nativeTheme.themeSource = config.get().appearance.theme
  }
  apply()
  config.onChange(apply)
}

async function newSession({ agent }: Services, guide: Guide): Promise<void> {
  const session = await agent.createSession()
  if (session.ok) guide.lead({ page: 'chat', sessionId: session.value.id })
}
