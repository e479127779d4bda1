import type { App } from './app.svelte'
import { t } from '../lib/text'
import { inspectorShown } from './inspector.svelte'
import { pages } from './nav.svelte'

export interface Shortcut {
  /** The key with Ctrl, or with Command on macOS. */
  readonly key: string
  readonly label: string
  readonly run: (app: App) => void
}

export const shortcuts: readonly Shortcut[] = [
  { key: 'k', label: t.settings.keyboard.palette, run: (app) => (app.paletteOpen = !app.paletteOpen) },
  { key: 'n', label: t.palette.newSession, run: (app) => app.nav.openSession(null) },
  { key: '.', label: t.palette.stop, run: (app) => void stopTurn(app) },
  { key: 'b', label: t.palette.toggleSessions, run: (app) => app.nav.toggleSessions() },
  { key: 'i', label: t.palette.toggleInspector, run: (app) => toggleInspector(app) },
  { key: ',', label: t.settings.keyboard.settings, run: (app) => app.nav.go('settings') },
  ...pages.map((page, index): Shortcut => ({
    key: String(index + 1),
    label: t.nav[page],
    run: (app) => app.nav.go(page)
  }))
]

/** How a shortcut is written on this system. */
export const keysOf = (key: string, platform: string): string =>
  platform === 'darwin' ? `⌘ ${key.toUpperCase()}` : `Ctrl ${key.toUpperCase()}`

/** Stops the turn of the session that is shown; executions run on. */
export async function stopTurn(app: App): Promise<void> {
  const sessionId = app.nav.sessionId
  if (sessionId !== null && app.session?.state === 'running') {
    app.report(await app.client.request('turn.stop', { sessionId }))
  }
}

export const toggleInspector = (app: App): void => app.nav.showInspector(!inspectorShown(app))

export function runShortcut(app: App, event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  const found = shortcuts.find((shortcut) => shortcut.key === event.key.toLowerCase())
  if (found === undefined || app.sync.phase !== 'ready') return
  event.preventDefault()
  found.run(app)
}
