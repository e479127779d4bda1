import { app } from 'electron'
import type { Place } from '../../src-preload/contract'
import { createDispatch, type Dispatch } from '../ipc/dispatch'
import { createHandlers } from '../ipc/handlers'
import { Said } from '../ipc/said'
import type { Services } from '../ipc/services'
import { watchSettings } from '../ipc/settings-view'
import { startApprovalDialogs } from './approval-dialog'
import { startAutostart } from './autostart'
import { startBadge } from './badge'
import { createShell } from './desktop-shell'
import type { Guide } from './guide'
import type { Bridge } from './ipc-bridge'
import { live } from './life'
import { setMenu } from './menu'
import { startNotifications } from './notifications'
import type { Texts } from './text'
import { speechOf } from './speech'
import { startTray } from './tray'
import type { MainWindow } from './window'

export interface DesktopParts {
  readonly services: Services
  readonly window: MainWindow
  readonly bridge: Bridge
  readonly guide: Guide
  readonly texts: () => Texts
  readonly appFolder: string
  /** The home may be used by the next program. */
  readonly release: () => void
}

/** Joins the services with all that the desktop has. Gives what answers the window's requests from now on. */
export function openDesktop(parts: DesktopParts): Dispatch {
  const { services, window, bridge, guide, texts, appFolder, release } = parts
  const shell = createShell({
    window: () => window.current,
    texts,
    onShown: (place) => guide.noteShown(place)
  })
  const lead = guide.lead.bind(guide)

  const stopWatching = watchSettings(services)
  const speech = () => speechOf(texts())
  const said = new Said(() => speech().words, services.executions)
  bridge.tell(services.store.bus, said)
  live({
    ...{ services, window, texts: speech, release },
    stopAsking: async () => void (await Promise.all([stopWatching(), bridge.close()]))
  })
  const menu = () =>
    setMenu({
      texts: texts(),
      shortcuts: services.config.get().shortcuts,
      lead,
      newSession: () => void newSession(services, guide),
      showLogs: () => void shell.showFolder(services.logsFolder)
    })
  menu()
  services.config.onChange(menu)
  const isSeen = (place: Place) => window.isInFront && guide.shows(place)
  startNotifications({ services, isSeen, lead, texts: speech })
  startApprovalDialogs({ services, isInFront: () => window.isInFront, lead, texts: speech })
  startTray({ services, appFolder, lead, texts: speech, open: () => window.show(), quit: () => app.quit() })
  startBadge(services, window)
  guide.onPage(startAutostart(services, texts))
  return said.dispatched(createDispatch(createHandlers(services, shell), services.log))
}

async function newSession({ agent }: Services, guide: Guide): Promise<void> {
  const session = await agent.createSession()
  if (session.ok) guide.lead({ page: 'chat', sessionId: session.value.id })
}
