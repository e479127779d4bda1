import { defaultShortcuts, shortcutFault, shortcutNames, type ShortcutName, type Shortcuts } from '@contract'
import { eventKeys, writtenKeys } from '../lib/keys'
import { t } from '../lib/text'
import type { App } from './app.svelte'
import { inspectorShown } from './inspector.svelte'
import type { PageName } from './nav.svelte'
import { toggleSessions } from './session-list.svelte'

const toPage = (page: PageName) => (app: App) => app.nav.go(page)

/** What each shortcut does, in the order in which they are listed. */
export const shortcuts: Readonly<Record<ShortcutName, { label: string; run: (app: App) => void }>> = {
  palette: { label: t.settings.keyboard.palette, run: (app) => (app.paletteOpen = !app.paletteOpen) },
  newSession: { label: t.palette.newSession, run: (app) => app.nav.openSession(null) },
  stop: { label: t.palette.stop, run: (app) => void stopTurn(app) },
  sessions: { label: t.palette.toggleSessions, run: (app) => toggleSessions(app.nav) },
  inspector: { label: t.palette.toggleInspector, run: (app) => toggleInspector(app) },
  preferences: { label: t.settings.keyboard.preferences, run: toPage('settings') },
  chat: { label: t.settings.keyboard.page(t.nav.chat), run: toPage('chat') },
  ops: { label: t.settings.keyboard.page(t.nav.ops), run: toPage('ops') },
  fleet: { label: t.settings.keyboard.page(t.nav.fleet), run: toPage('fleet') },
  knowledge: { label: t.settings.keyboard.page(t.nav.knowledge), run: toPage('knowledge') },
  settings: { label: t.settings.keyboard.page(t.nav.settings), run: toPage('settings') }
}

/** The keys in force. */
export const keysInForce = (app: App): Shortcuts => app.store.settings?.config.shortcuts ?? defaultShortcuts

/** How the keys of a shortcut are written on this system; empty where it has none. */
export const keysOf = (app: App, name: ShortcutName): string =>
  writtenKeys(keysInForce(app)[name], app.client.platform)

/** Which shortcut has these keys; of two, the first listed. */
export const ownerOf = (all: Shortcuts, keys: string): ShortcutName | undefined =>
  keys === '' ? undefined : shortcutNames.find((name) => all[name] === keys)

/** Stops the turn of the session that is shown; executions run on. */
export async function stopTurn(app: App): Promise<void> {
  const sessionId = app.nav.sessionId
  if (sessionId !== null && app.session?.state === 'running') {
    app.report(await app.client.request('turn.stop', { sessionId }))
  }
}

export const toggleInspector = (app: App): void => app.nav.showInspector(!inspectorShown(app))

export function runShortcut(app: App, event: KeyboardEvent): void {
  if (event.defaultPrevented || app.sync.phase !== 'ready') return
  const { platform } = app.client
  const keys = eventKeys(event, platform)
  const name = keys === null ? undefined : ownerOf(keysInForce(app), keys)
  // The configuration may come from another system, where these keys type nothing.
  if (keys === null || name === undefined || shortcutFault(keys, platform) !== null) return
  event.preventDefault()
  shortcuts[name].run(app)
}
