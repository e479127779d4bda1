import type { Catalogue } from '../index'
import { count } from '../count'

export const app: Catalogue['app'] = {
  loading: 'Startet',
  failed: 'Nomos konnte nicht starten',
  retry: 'Noch einmal versuchen',
  logs: 'Protokolle zeigen',
  viewFailed: 'Das konnte nicht gezeigt werden.',
  viewFailedHint: 'Was läuft, läuft weiter, und nichts ging verloren. Mehr steht im Protokoll.'
}

export const nav: Catalogue['nav'] = {
  label: 'Seiten',
  chat: 'Chat',
  ops: 'Betrieb',
  fleet: 'Flotte',
  knowledge: 'Wissen',
  settings: 'Einstellungen',
  waiting: (n) => count(n, 'Entscheidung wartet', 'Entscheidungen warten')
}

export const bar: Catalogue['bar'] = {
  label: 'Stand',
  hosts: (reachable, all) => `${reachable} von ${all} Hosts`,
  noHosts: 'Keine Hosts',
  noModel: 'Kein Modell',
  running: (n) => `${n} laufen`,
  waiting: (n) => `${n} zu entscheiden`,
  signals: (n) => count(n, 'Signal', 'Signale'),
  assent: (time) => `Zustimmungsfenster ${time}`,
  lab: 'Labor'
}

export const palette: Catalogue['palette'] = {
  label: 'Befehle',
  placeholder: 'Zu Seite, Gast oder Sitzung, oder was zu tun ist: restart caddy',
  none: 'Nichts passt.',
  pages: 'Seiten',
  sessions: 'Sitzungen',
  recent: 'Zuletzt',
  guests: 'Gäste',
  hosts: 'Hosts',
  actions: 'Aktionen',
  actionOn: (action, name) => `${action}: ${name}`,
  commands: 'Befehle',
  newSession: 'Neue Sitzung',
  toggleSessions: 'Liste der Sitzungen zeigen oder ausblenden',
  toggleInspector: 'Inspektor zeigen oder ausblenden',
  refreshFleet: 'Flotte neu lesen',
  addHost: 'Host hinzufügen',
  theme: 'Zwischen hell und dunkel wechseln',
  stop: 'Den Zug anhalten'
}

export const link: Catalogue['link'] = {
  title: 'Diese Adresse im Browser öffnen',
  body: 'Sie kommt aus dem Gespräch und ist nicht von Ihnen.',
  open: 'Öffnen',
  copy: 'Adresse kopieren'
}

export const notice: Catalogue['notice'] = {
  offer: {
    retry: 'Noch einmal versuchen',
    continue: 'Weitermachen',
    settings: 'Einstellungen öffnen',
    usual_model: 'Mit dem Standardmodell weiter'
  },
  stillThere: 'Nichts ist verloren.'
}

export const live: Catalogue['live'] = {
  answered: 'Der Agent hat geantwortet',
  approval: (title) => `Braucht Ihre Zustimmung: ${title}`,
  ended: (title, state) => `${title}: ${state}`
}
