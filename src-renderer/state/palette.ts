import type { App } from './app.svelte'
import { t } from '../lib/text'
import { guestKey, guestTarget } from './fleet-page.svelte'
import { pages } from './nav.svelte'
import { keysOf, stopTurn, toggleInspector } from './shortcuts'

export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly detail: string
  readonly run: () => void
}

export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteItem[]
}

const mostOfEach = 8

function pageItems(app: App): PaletteItem[] {
  return pages.map((page) => ({
    id: `page ${page}`,
    label: t.nav[page],
    detail: keysOf(app, page),
    run: () => app.nav.go(page)
  }))
}

function commandItems(app: App): PaletteItem[] {
  const item = (label: string, detail: string, run: () => void): PaletteItem => ({
    id: label,
    label,
    detail,
    run
  })
  return [
    item(t.palette.newSession, keysOf(app, 'newSession'), () => app.nav.openSession(null)),
    item(t.palette.stop, keysOf(app, 'stop'), () => void stopTurn(app)),
    item(t.palette.toggleSessions, keysOf(app, 'sessions'), () => app.nav.toggleSessions()),
    item(t.palette.toggleInspector, keysOf(app, 'inspector'), () => toggleInspector(app)),
    item(t.palette.refreshFleet, '', () => void app.fleet.refresh()),
    item(t.palette.addHost, '', () => {
      app.nav.go('fleet')
      app.fleet.addingHost = true
    }),
    item(t.palette.theme, '', () => {
      const appearance = app.store.settings?.config.appearance
      if (appearance === undefined) return
      void app.updateSettings({
        appearance: { ...appearance, theme: app.theme === 'dark' ? 'light' : 'dark' }
      })
    })
  ]
}

function sessionItems(app: App): PaletteItem[] {
  return app.store.sessionList.map((session) => ({
    id: `session ${session.id}`,
    label: session.title === '' ? t.sessions.untitled : session.title,
    detail: t.state.session[session.state],
    run: () => app.nav.openSession(session.id)
  }))
}

function guestItems(app: App): PaletteItem[] {
  return app.store.fleet.guests.map((guest) => ({
    id: `guest ${guestKey(guest)}`,
    label: guest.name,
    detail: guestTarget(guest),
    run: () => {
      app.fleet.openGuest(guest)
      app.nav.go('fleet')
    }
  }))
}

/** Everything that fits the words of the query, the best of each kind. */
export function paletteGroups(app: App, query: string): PaletteGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (item: PaletteItem) => {
    const hay = `${item.label} ${item.detail}`.toLowerCase()
    return words.every((word) => hay.includes(word))
  }
  const group = (label: string, items: readonly PaletteItem[]): PaletteGroup => ({
    label,
    items: items.filter(fits).slice(0, mostOfEach)
  })
  return [
    group(t.palette.pages, pageItems(app)),
    group(t.palette.commands, commandItems(app)),
    group(t.palette.sessions, sessionItems(app)),
    group(t.palette.guests, guestItems(app))
  ].filter((some) => some.items.length > 0)
}
