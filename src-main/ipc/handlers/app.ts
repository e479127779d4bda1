import type { Bootstrap } from '../../../src-preload/contract'
import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'
import { settingsView } from '../settings-view'
import type { Shell } from '../shell'

/** Starting a window, and what a window may ask of the desktop. */
export function appHandlers(services: Services, shell: Shell): Group<'app'> {
  return {
    'app.bootstrap': async () => ok(await bootstrap(services)),
    'app.newest_event': async () => ok(services.store.bus.seq),
    'app.open_external': ({ url }) => shell.openExternal(url),
    'app.copy': async ({ text }) => {
      shell.copy(text)
      return ok(null)
    },
    'app.show_logs': () => shell.showFolder(services.logsFolder),
    'app.shows': async (place) => {
      shell.noteShown(place)
      return ok(null)
    },
    'app.view_failed': async ({ reason }) => {
      services.log.log('error', 'window', 'a part could not be shown', { reason })
      return ok(null)
    }
  }
}

async function bootstrap(services: Services): Promise<Bootstrap> {
  const settings = await settingsView(services)
  const { executions, agent, fleet, signals, store, version } = services
  // From here on nothing is awaited: the state and the number of the newest event belong together.
  return {
    version,
    seq: store.bus.seq,
    settings,
    sessions: agent.listSessions(),
    fleet: fleet.view(),
    executions: executions.open(),
    plans: executions.waitingPlans(),
    approvals: executions.waitingApprovals(),
    assents: executions.windows(),
    signals: signals.list('unresolved'),
    allowances: executions.allowances()
  }
}
