import type { ActionView, GuestView } from '@contract'
import { t } from '../lib/text'
import type { App } from './app.svelte'
import { guestKey, guestTarget } from './fleet-page.svelte'
import { pages } from './nav.svelte'
import { keysOf, stopTurn, toggleInspector } from './shortcuts'
import { toggleSessions } from './session-list.svelte'

export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly detail: string
  /** Further words it is found by. */
  readonly words?: string
  readonly run: () => void
}

export interface PaletteKind {
  readonly label: string
  readonly items: readonly PaletteItem[]
  /** Shown also while nothing is typed. */
  readonly atRest: boolean
}

function pageItems(app: App): PaletteItem[] {
  return pages.map((page) => ({
    id: `page ${page}`,
    label: t.nav[page],
    detail: keysOf(app, page),
    run: () => app.nav.go(page)
  }))
}

function settingsItems(app: App): PaletteItem[] {
  return Object.entries(t.settings.sections).map(([id, label]) => ({
    id: `settings ${id}`,
    label,
    detail: t.nav.settings,
    run: () => app.nav.openSettings(id)
  }))
}

function commandItems(app: App): PaletteItem[] {
  const item = (label: string, detail: string, run: () => void): PaletteItem => ({
    id: `command ${label}`,
    label,
    detail,
    run
  })
  return [
    item(t.palette.newSession, keysOf(app, 'newSession'), () => app.nav.openSession(null)),
    item(t.palette.stop, keysOf(app, 'stop'), () => void stopTurn(app)),
    item(t.palette.toggleSessions, keysOf(app, 'sessions'), () => toggleSessions(app.nav)),
    item(t.palette.toggleInspector, keysOf(app, 'inspector'), () => toggleInspector(app)),
    item(t.fleet.newContainer, '', () => ask(app, 'pct_create', null, null)),
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

function hostItems(app: App): PaletteItem[] {
  return app.store.fleet.hosts.map((host) => ({
    id: `host ${host.name}`,
    label: host.name,
    detail: t.state.connection[host.connection],
    words: `${host.node ?? ''} ${host.address}`,
    run: () => {
      app.fleet.openHost(host.name)
      app.nav.go('fleet')
    }
  }))
}

function guestItems(app: App): PaletteItem[] {
  return app.store.fleet.guests.map((guest) => ({
    id: `guest ${guestKey(guest)}`,
    label: guest.name,
    detail: `${guestTarget(guest)}, ${t.state.guest[guest.status]}`,
    words: guest.tags.join(' '),
    run: () => {
      app.fleet.openGuest(guest)
      app.nav.go('fleet')
    }
  }))
}

/** What can be done to a guest as it is: one that runs is not started. */
function suits(action: ActionView, guest: GuestView): boolean {
  if (guest.template && /_(start|shutdown|reboot|stop)$/.test(action.name)) return false
  if (guest.status === 'running') return !/_start$/.test(action.name)
  return (
    guest.status !== 'stopped' ||
    !/(_(shutdown|reboot|stop|exec|push|pull)|^restart|^systemctl|^apt_upgrade)$/.test(action.name)
  )
}

/** Every action on every guest and host: what one types, such as "restart caddy". */
function actionItems(app: App): PaletteItem[] {
  const item = (action: ActionView, name: string, target: string, key: string, host: string | null) => ({
    id: `action ${action.name} ${key}`,
    label: t.palette.actionOn(t.approval.verb[action.name] ?? action.title, name),
    detail: target,
    words: action.title,
    run: () => ask(app, action.name, target, host)
  })
  const onGuests = app.store.fleet.guests.flatMap((guest) =>
    app.fleet
      .actionsFor(guest.kind)
      .filter((action) => suits(action, guest))
      .map((action) => item(action, guest.name, guestTarget(guest), guestKey(guest), guest.host))
  )
  const onHosts = app.store.fleet.hosts.flatMap((host) =>
    app.fleet
      .actionsFor('host')
      .map((action) => item(action, host.name, `host:${host.name}`, `host:${host.name}`, host.name))
  )
  return [...onGuests, ...onHosts]
}

/** Asks for an action where its result is seen. */
function ask(app: App, action: string, target: string | null, host: string | null): void {
  const guest = app.store.fleet.guests.find((each) => guestTarget(each) === target)
  if (guest !== undefined) app.fleet.openGuest(guest)
  else if (target !== null && host !== null) app.fleet.openHost(host)
  app.nav.go('fleet')
  void app.fleet.ask(action, { target, host }).then((error) => {
    if (error !== null) app.fail(error)
  })
}

/** Everything there is to choose, by kind: in the order in which it is shown while nothing is typed. */
export const paletteKinds = (app: App): readonly PaletteKind[] => [
  { label: t.palette.pages, items: pageItems(app), atRest: true },
  { label: t.palette.commands, items: commandItems(app), atRest: true },
  { label: t.palette.guests, items: guestItems(app), atRest: true },
  { label: t.palette.hosts, items: hostItems(app), atRest: true },
  { label: t.palette.sessions, items: sessionItems(app), atRest: true },
  { label: t.nav.settings, items: settingsItems(app), atRest: false },
  { label: t.palette.actions, items: actionItems(app), atRest: false }
]
