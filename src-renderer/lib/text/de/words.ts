import type { Catalogue } from '../index'

export const common: Catalogue['common'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  remove: 'Entfernen',
  save: 'Speichern',
  edit: 'Bearbeiten',
  refresh: 'Neu lesen',
  showAll: 'Alles zeigen',
  loading: 'Lädt',
  tryAgain: 'Noch einmal versuchen',
  dismiss: 'Ausblenden',
  noAnswer: 'Die App hat auf diese Anfrage nicht geantwortet. Durch sie wurde nichts geändert.'
}

export const state: Catalogue['state'] = {
  execution: {
    awaiting_approval: 'braucht Zustimmung',
    approved: 'genehmigt',
    starting: 'startet',
    running: 'läuft',
    unknown: 'nicht bekannt',
    succeeded: 'erledigt',
    failed: 'fehlgeschlagen',
    timed_out: 'Zeit abgelaufen',
    cancelled: 'abgebrochen',
    interrupted: 'unterbrochen',
    lost: 'verloren',
    denied: 'abgelehnt',
    expired: 'verfallen'
  },
  session: { idle: 'bereit', running: 'arbeitet', waiting: 'braucht Sie', failed: 'fehlgeschlagen' },
  call: {
    pending: 'wartet',
    running: 'läuft',
    done: 'erledigt',
    failed: 'fehlgeschlagen',
    interrupted: 'unterbrochen'
  },
  connection: {
    unknown: 'noch nicht gefragt',
    connecting: 'verbindet',
    reachable: 'erreichbar',
    unreachable: 'nicht erreichbar',
    blocked: 'Schlüssel nicht anerkannt'
  },
  guest: { running: 'läuft', stopped: 'gestoppt', unknown: 'nicht bekannt' }
}

export const risk: Catalogue['risk'] = {
  read_only: 'liest nur',
  service_action: 'wirkt auf einen Dienst',
  config_mutation: 'ändert die Konfiguration',
  destructive: 'nicht umkehrbar'
}

export const origin: Catalogue['origin'] = {
  agent: 'Agent',
  operator: 'Sie',
  signal: 'Signal',
  mcp: 'MCP-Client'
}

export const keys: Catalogue['keys'] = { Mod: 'Strg', Alt: 'Alt', Shift: 'Umschalt', Enter: 'Eingabe' }

export const day: Catalogue['day'] = { today: 'Heute', yesterday: 'Gestern' }

export const numbers: Catalogue['numbers'] = {
  point: ',',
  locale: 'de-DE',
  date: (year, month, day) => `${day}.${month}.${year}`
}
