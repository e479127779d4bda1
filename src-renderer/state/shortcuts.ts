import type { App } from './app.svelte'
import { pages } from './nav.svelte'

export interface Shortcut {
  /** The key with Ctrl, or with Command on macOS. */
  readonly key: string
  readonly shift?: boolean
  readonly run: (app: App) => void
}

const toPage = pages.map((page, index): Shortcut => ({
  key: String(index + 1),
  run: (app) => app.nav.go(page)
}))

export const shortcuts: readonly Shortcut[] = [
  ...toPage,
  { key: 'k', run: (app) => (app.paletteOpen = !app.paletteOpen) },
  { key: 'n', run: (app) => app.nav.openSession(null) },
  { key: ',', run: (app) => app.nav.go('settings') },
  { key: 'b', run: (app) => app.nav.toggleSessions() },
  { key: 'i', run: (app) => app.nav.showInspector(!(app.nav.inspector ?? app.nav.sheet)) },
  { key: '.', run: (app) => void stopTurn(app) }
]

/** Stops the turn of the session that is shown; executions run on. */
export async function stopTurn(app: App): Promise<void> {
  const sessionId = app.nav.sessionId
  if (sessionId !== null && app.session?.state === 'running') {
    app.report(await app.client.request('turn.stop', { sessionId }))
  }
}

export function runShortcut(app: App, event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  const key = event.key.toLowerCase()
  const found = shortcuts.find(
    (shortcut) => shortcut.key === key && (shortcut.shift ?? false) === event.shiftKey
  )
  if (found === undefined || app.sync.phase !== 'ready') return
  event.preventDefault()
  found.run(app)
}
