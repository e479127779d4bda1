import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen, type WebPreferences } from 'electron'
import type { Logger } from '../base/log'
import { failureUrl, isAppUrl, startUrl } from './app-url'
import type { AppPages } from './protocol'
import { readBounds, saveBounds, smallest } from './window-bounds'

/**
 * The page's own background, `--bg` of the tokens: the window is seen before its page, and nothing flashes. Held back
 * until then, it would come late itself: what draws it (the GPU process) would only start when the page asks for it.
 */
const background = () => (nativeTheme.shouldUseDarkColors ? '#101317' : '#f6f8fa')

/** A page that dies this often within `crashWindowMs` is not loaded once more. */
const mostCrashes = 3
const crashWindowMs = 60_000

/** Electron's security list, items 2 to 12: most are defaults, written down so that a test can hold them. */
const safe: WebPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  // The spell checker would fetch its dictionaries from the web.
  spellcheck: false
}

export interface WindowOptions {
  readonly home: string
  /** The app's folder. */
  readonly appFolder: string
  readonly pages: AppPages
  readonly log: Logger
  /** The page begins anew: it knows nothing and does not listen yet. */
  readonly onPageStart: () => void
}

/** The one window, which can be closed and opened again at any time. */
export class MainWindow {
  private window: BrowserWindow | null = null
  private crashes: number[] = []
  private title = 'Nomos'

  constructor(private readonly options: WindowOptions) {
    nativeTheme.on('updated', () => this.window?.setBackgroundColor(background()))
  }

  /** The open window, if there is one. */
  get current(): BrowserWindow | null {
    return this.window
  }

  get isInFront(): boolean {
    return (
      this.window !== null && this.window.isVisible() && !this.window.isMinimized() && this.window.isFocused()
    )
  }

  /** Opens the window, or brings it to the front. */
  show(): void {
    if (!this.window) return this.open()
    if (this.window.isMinimized()) this.window.restore()
    this.window.show()
    this.window.focus()
  }

  /** Shows why Nomos cannot start, in a window that does nothing else. */
  showFailure(): void {
    if (this.window) void this.load(this.window, failureUrl)
    else this.open(failureUrl)
  }

  /** The title from now on, also of a window that is opened later. */
  setTitle(title: string): void {
    this.title = title
    this.window?.setTitle(title)
  }

  /** Before the app ends: the place is kept and the window gone at once, while the rest is put away. */
  putAway(): void {
    this.keepPlace()
    this.window?.hide()
  }

  private open(address = startUrl): void {
    const { home, appFolder } = this.options
    const { maximized, ...bounds } = readBounds(
      home,
      screen.getAllDisplays().map((display) => display.workArea)
    )
    const window = new BrowserWindow({
      ...bounds,
      minWidth: smallest.width,
      minHeight: smallest.height,
      title: this.title,
      backgroundColor: background(),
      autoHideMenuBar: true,
      icon: join(appFolder, 'resources/icons/icon-512.png'),
      webPreferences: {
        ...safe,
        devTools: !app.isPackaged,
        preload: join(appFolder, 'out/preload/index.cjs')
      }
    })
    this.window = window
    if (maximized) window.maximize()
    // The title is the app's, whatever the page calls itself.
    window.on('page-title-updated', (event) => event.preventDefault())
    window.on('close', () => this.keepPlace())
    window.on('closed', () => {
      this.window = null
      this.options.onPageStart()
    })
    this.watchPage(window)
    void this.load(window, address)
  }

  private watchPage(window: BrowserWindow): void {
    const { log, onPageStart } = this.options
    window.webContents.on('did-start-loading', onPageStart)
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      log.log('error', 'window', 'the page ended', { reason, exitCode })
      if (!window.isDestroyed()) this.recover(window)
    })
    // An empty page asks nobody before it is shown, unlike every other address.
    window.webContents.on('did-navigate', (_event, address) => {
      if (!isAppUrl(address)) void this.load(window, startUrl)
    })
    window.on('unresponsive', () => log.log('warn', 'window', 'the page does not respond'))
  }

  /** The work goes on in the main process; a new page shows all of it. */
  private recover(window: BrowserWindow): void {
    const now = Date.now()
    this.crashes = [...this.crashes.filter((at) => now - at < crashWindowMs), now]
    if (this.crashes.length < mostCrashes) return void this.load(window, startUrl)
    this.options.pages.explain({
      code: 'window_crashes',
      message: 'The window of Nomos crashed several times in a row. What runs on your hosts goes on.',
      hint: 'Close this window and start Nomos again. If it happens again, the log tells more.'
    })
    void this.load(window, failureUrl)
  }

  private async load(window: BrowserWindow, address: string): Promise<void> {
    try {
      await window.loadURL(address)
    } catch (error) {
      // A window that is closed while it loads is no failure, nor is another address that takes its place.
      if (!window.isDestroyed() && !isAborted(error))
        this.options.log.log('error', 'window', 'the page could not be loaded', {
          address,
          error: String(error)
        })
    }
  }

  private keepPlace(): void {
    if (!this.window || this.window.isDestroyed()) return
    saveBounds(this.options.home, { ...this.window.getNormalBounds(), maximized: this.window.isMaximized() })
  }
}

/** Another address took its place while it was loaded: ERR_ABORTED of Chromium's net_error_list.h. */
const isAborted = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && error.errno === -3
