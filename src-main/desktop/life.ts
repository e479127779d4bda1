import { app, Notification, powerMonitor } from 'electron'
import { messageOf } from '../base/result'
import type { Services } from '../ipc/services'
import { trayModel } from './tray-model'
import type { MainWindow } from './window'

/** Longest wait for the services to put their work away. Milliseconds. */
const closingMs = 10_000

export interface LifeOptions {
  readonly services: Services
  readonly window: MainWindow
  /** The home may be used by the next program. */
  readonly release: () => void
}

/** When the app stays without a window, how it ends, and that it notices when the machine slept. */
export function live({ services, window, release }: LifeOptions): void {
  let state: 'running' | 'closing' | 'closed' = 'running'
  let told = false

  app.on('window-all-closed', () => {
    if (state !== 'running') return
    if (!staysFor(services)) return app.quit()
    if (!told) tellThatItStays()
    told = true
  })

  app.on('before-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    window.putAway()
    void putAway(services).then(() => {
      release()
      state = 'closed'
      app.exit(0)
    })
  })

  app.on('activate', () => window.show())
  powerMonitor.on('resume', () => services.wake())
}

/** While something runs or waits for a decision, closing the window does not end it. */
function staysFor(services: Services): boolean {
  const { closeToTray } = services.config.get().appearance
  return closeToTray && trayModel(services, false, services.store.clock.now()).state !== 'idle'
}

function tellThatItStays(): void {
  if (!Notification.isSupported()) return
  new Notification({
    title: 'Nomos goes on in the background',
    body: 'Something still runs or waits for you. Open the window from the tray, or by starting Nomos again.'
  }).show()
}

async function putAway(services: Services): Promise<void> {
  const late = new Promise<'late'>((done) => setTimeout(() => done('late'), closingMs).unref())
  try {
    if ((await Promise.race([services.close(), late])) === 'late')
      services.log.log('warn', 'desktop', 'closing took too long and was cut short')
  } catch (error) {
    services.log.log('error', 'desktop', 'closing failed', { error: messageOf(error) })
  }
}
