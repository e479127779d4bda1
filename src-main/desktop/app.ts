import { join } from 'node:path'
import { app, nativeTheme, session } from 'electron'
import { lockHome, type HomeLock } from '../base/home-lock'
import { fileLogger, silentLogger, type Logger } from '../base/log'
import { fail, messageOf, ok, type AppError, type Result } from '../base/result'
import { configPath } from '../config/path'
import type { Dispatch } from '../ipc/dispatch'
import type { Services } from '../ipc/services'
import { lookAtStart, type Look } from '../config/look'
import { listAssets, type Assets } from './assets'
import { Guide } from './guide'
import { harden } from './hardening'
import { useHome } from './home'
import { startBridge, type Bridge } from './ipc-bridge'
import { startsHidden } from './hidden'
import { registerScheme, servePages, type AppPages } from './protocol'
import { textsIn, type Texts } from './text'
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

/** Longest wait for the page to have its script, in ms: a page that cannot be shown keeps nothing else waiting. */
const pageMs = 1000

/**
 * The steps from Electron being ready to the window being open. Until the window is there, little else is read: what is
 * needed only then is in `open.ts`, and in the core.
 */
class Start {
  log: Logger = silentLogger
  private readonly appFolder = app.getAppPath()
  private readonly logsFolder: string
  private window: MainWindow | null = null
  private guide: Guide | null = null
  private lock: HomeLock | null = null
  private words: Texts = textsIn('system', 'en')
  private readonly texts = () => this.words

  constructor(private readonly home: string) {
    this.logsFolder = join(home, 'logs')
    // The second one's arguments are nobody's decision and are not looked at: it only asks for the window.
    app.on('second-instance', () => this.window?.show())
    process.on('uncaughtException', (error) => this.note('an error was not handled', error))
    process.on('unhandledRejection', (reason) => this.note('an error was not handled', reason))
  }

  /** The page is loaded by processes of its own while the services are built here; its requests wait for them. */
  async run(build: BuildServices): Promise<void> {
    await app.whenReady()
    const atStart = lookAtStart(configPath(this.home, process.env))
    this.adopt(atStart)
    const assets = listPage(join(this.appFolder, 'out/renderer'))
    const pages = servePages(session.defaultSession, assets.ok ? assets.value : new Map(), this.texts)
    const window = this.openable(pages)
    const hidden = startsHidden(atStart.hidden)
    // Before anything else: its processes start beside this one.
    if (!hidden) window.show()
    const locked = assets.ok ? this.lockHome() : assets
    if (!locked.ok) {
      this.fail(locked.error, pages, window)
      return
    }

    const bridge = startBridge({
      window: () => window.current,
      dispatch: async (route, input) => (await dispatch)(route, input),
      log: this.log,
      onBootstrap: () => this.guide?.onBootstrap()
    })
    // Reading the core keeps this process busy: before that, the page gets what it needs to start beside it.
    const services = (hidden ? Promise.resolve() : within(pageMs, pages.scriptServed)).then(() =>
      this.buildServices(build)
    )
    const dispatch = services.then((built) =>
      built.ok ? this.open(built.value, window, bridge) : this.fail(built.error, pages, window)
    )
    await dispatch
  }

  private lockHome(): Result<null> {
    const lock = lockHome(this.home, 'app')
    if (!lock.ok) return lock
    this.lock = lock.value
    this.log = fileLogger(this.logsFolder)
    return ok(null)
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
      const { home, appFolder, logsFolder, log } = this
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

  private async open(services: Services, window: MainWindow, bridge: Bridge): Promise<Dispatch> {
    const guide = new Guide(services.store, () => window.show())
    this.guide = guide
    const { texts, appFolder } = this
    services.config.onChange(({ appearance }) => this.adopt(appearance))
    const { openDesktop } = await import('./open')
    return openDesktop({
      ...{ services, window, bridge, guide, texts, appFolder },
      release: () => this.lock?.release()
    })
  }

  private fail(error: AppError, pages: AppPages, window: MainWindow): Dispatch {
    process.stderr.write(`Nomos cannot start: ${error.message}${error.hint ? `\n${error.hint}` : ''}\n`)
    this.log.log('error', 'desktop', 'Nomos cannot start', { code: error.code, message: error.message })
    this.lock?.release()
    app.on('window-all-closed', () => app.exit(1))
    app.on('before-quit', () => app.exit(1))
    pages.explain(error)
    window.showFailure()
    return async () => ({ ok: false, error })
  }

  /** What the desktop itself takes from the configuration. */
  private adopt({ theme, language }: Look): void {
    nativeTheme.themeSource = theme
    this.words = textsIn(language, app.getLocale())
  }

  private note(what: string, error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined
    this.log.log('error', 'desktop', what, { error: messageOf(error), stack })
  }
}

/** Resolves with the work, or when the time is up. */
const within = (milliseconds: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, new Promise<void>((done) => setTimeout(done, milliseconds))])

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
