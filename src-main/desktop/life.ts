import { app, Notification, powerMonitor } from 'electron'
import { messageOf } from '../base/result'
import type { Services } from '../ipc/services'
import type { Speech } from './speech'
import { trayModel } from './tray-model'
import type { MainWindow } from './window'

/** Longest waits for answers under way, and for the services to put their work away. Milliseconds. */
const answersMs = 2000
const closingMs = 10_000

export interface LifeOptions {
  readonly services: Services
  readonly window: MainWindow
  readonly texts: () => Speech
  /** Nothing new is asked of the services, and what was asked is answered. */
  readonly stopAsking: () => Promise<void>
  /** The home may be used by the next program. */
  readonly release: () => void
}

/** When the app stays without a window, how it ends, and that it notices when the machine slept. */
export function live({ services, window, texts, stopAsking, release }: LifeOptions): void {
  let state: 'running' | 'closing' | 'closed' = 'running'
  let told = false

  app.on('window-all-closed', () => {
    if (state !== 'running') return
    if (!staysFor(services, texts())) return app.quit()
    if (!told) tellThatItStays(texts(), () => window.show())
    told = true
  })

  app.on('before-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    window.putAway()
    void putAway(services, stopAsking).then(() => {
      release()
      state = 'closed'
      app.exit(0)
    })
  })

  app.on('activate', () => window.show())
  powerMonitor.on('resume', () => services.wake())
}

/** While something runs or waits for a decision, closing the window does not end it. */
function staysFor(services: Services, texts: Speech): boolean {
  const { closeToTray } = services.config.get().appearance
  return closeToTray && trayModel(services, texts, false, services.store.clock.now()).state !== 'idle'
}

function tellThatItStays({ notice }: Speech, open: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({
    title: notice.staysTitle,
    body: notice.staysBody
  })
  notification.on('click', open)
  notification.show()
}

async function putAway(services: Services, stopAsking: () => Promise<void>): Promise<void> {
  try {
    // Electron ends in the middle of whatever native code still works, such as a question to the keychain.
    await within(answersMs, stopAsking())
    if (!(await within(closingMs, services.close())))
      services.log.log('warn', 'desktop', 'closing took too long')
  } catch (error) {
    services.log.log('error', 'desktop', 'closing failed', { error: messageOf(error) })
  }
}

/** False when the work is not done in time. */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((done) => setTimeout(() => done(false), milliseconds))
  return await Promise.race([work.then(() => true), late])
}
