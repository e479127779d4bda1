import type { Catalogue } from '../index'
import { count } from '../count'

export const ops: Catalogue['ops'] = {
  title: 'Betrieb',
  waiting: 'Wartet auf Sie',
  active: 'Läuft',
  history: 'Verlauf',
  executions: 'Ausführungen',
  audit: 'Prüfprotokoll',
  allowed: 'Im Voraus erlaubt',
  allowedFor: (time) => `genau dies, noch ${time}`,
  endAllowed: 'Beenden',
  noneWaiting: 'Nichts wartet auf Sie.',
  noneActive: 'Zur Zeit läuft nichts.',
  noneHistory: 'Was auf Ihren Hosts ausgeführt wurde, steht hier mit seiner Ausgabe.',
  noneFound: 'Keine Ausführung passt zu diesem Filter.',
  search: 'Nach Ziel, Aktion oder Host suchen',
  filters: { all: 'Alle', succeeded: 'Erledigt', failed: 'Fehler' },
  filter: 'Nach Zustand filtern',
  more: 'Ältere zeigen',
  total: (n) => count(n, 'Ausführung', 'Ausführungen'),
  clear: 'Filter leeren'
}

export const audit: Catalogue['audit'] = {
  verify: 'Kette prüfen',
  exportJson: 'Als JSON kopieren',
  exportCsv: 'Als CSV kopieren',
  none: 'Jede Entscheidung und jede Ausführung hinterlässt hier einen Eintrag.',
  intact: (n) => `Alle ${n} Einträge passen zur Kette.`,
  broken: (seq) => `Eintrag ${seq} passt nicht zur Kette: Er oder einer davor wurde geändert.`,
  noneFound: 'Kein Eintrag passt zu diesem Filter.',
  search: 'Nach Gast, Host, Weg oder Regel suchen',
  filter: 'Nach Gegenstand filtern',
  filters: {
    all: 'Alle',
    decisions: 'Entscheidungen',
    executions: 'Ausführungen',
    hosts: 'Host-Schlüssel'
  },
  raw: (seq, kind) => `Eintrag ${seq}, ${kind}`,
  covers: (scope) => `Gilt für ${scope}`,
  who: {
    agent: 'vom Agenten',
    operator: 'von Ihnen',
    signal: 'von einem Signal',
    mcp: 'von einem MCP-Client'
  },
  happened: {
    'plan.proposed': () => 'Plan vom Agenten vorgeschlagen',
    'execution.requested': ({ who }) => `Angefordert ${who}`,
    'execution.cancel_requested': () => 'Abbruch verlangt',
    'execution.starting': ({ host }) => `Wird auf ${host} gestartet`,
    'execution.running': ({ host }) => `Auf ${host} gestartet`,
    'execution.succeeded': () => 'Erledigt und nachgeprüft',
    'execution.failed': () => 'Fehlgeschlagen',
    'execution.timed_out': () => 'An die Zeitgrenze gestoßen',
    'execution.cancelled': () => 'Abgebrochen',
    'execution.interrupted': ({ host }) => `Durch einen Neustart von ${host} unterbrochen`,
    'execution.lost': ({ host }) => `Auf ${host} verloren gegangen`,
    'approval.requested': () => 'Wartet auf Ihre Entscheidung',
    'approval.approved': ({ by }) => `Genehmigt ${by}`,
    'approval.denied': ({ by }) => `Abgelehnt ${by}`,
    'approval.expired': () => 'Ohne Entscheidung abgelaufen',
    'approval.refused': ({ by }) => `Zurückgewiesene Entscheidung ${by}`,
    'allowance.given': ({ by }) => `Im Voraus erlaubt ${by}`,
    'allowance.ended': () => 'Nicht mehr im Voraus erlaubt',
    'window.opened': ({ by }) => `Zustimmungsfenster geöffnet ${by}`,
    'window.renewed': ({ by }) => `Zustimmungsfenster verlängert ${by}`,
    'window.ended': () => 'Zustimmungsfenster beendet',
    'host_key.trusted': () => 'Schlüssel von Ihnen anerkannt',
    'host_key.pinned': () => 'Schlüssel ist der aus der Konfiguration',
    'host_key.imported': () => 'Schlüssel von Ihnen aus known_hosts übernommen',
    'host_key.replaced': () => 'Geänderter Schlüssel von Ihnen anerkannt',
    'host_key.forgotten': () => 'Schlüssel von Ihnen vergessen'
  },
  copied: 'Das Prüfprotokoll ist in der Zwischenablage.'
}
