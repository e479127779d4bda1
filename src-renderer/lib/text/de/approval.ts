import type { Catalogue } from '../index'
import { count } from '../count'

export const plan: Catalogue['plan'] = {
  label: 'Plan',
  run: (n) => (n === 1 ? 'Diesen Schritt ausführen' : `Alle ${n} Schritte ausführen`),
  destructive: 'Fragt vor der Ausführung noch einmal',
  progress: (done, total) => `${done} von ${total} erledigt`,
  undo: 'Rückgängig',
  missing: 'Dieser Plan wird geladen.'
}

export const approval: Catalogue['approval'] = {
  label: 'Zustimmung',
  why: 'Warum, in den Worten des Agenten',
  whyAsked: 'Warum',
  undo: 'Was es rückgängig macht',
  touches: 'Betrifft',
  rule: 'Gefragt wegen',
  host: 'Host',
  deny: 'Ablehnen',
  reason: 'Grund der Ablehnung',
  moreWays: 'Weitere Wege zuzustimmen',
  allow30: 'Genau dies 30 Minuten lang erlauben',
  confirm: (name) => `Zum Bestätigen ${name} eingeben`,
  scroll: 'Zum Zustimmen bis ans Ende der Befehle blättern',
  expiresIn: (time) => `Verfällt in ${time}`,
  commands: 'Befehle, genau wie sie laufen',
  noCommands: 'Es wird kein Befehl ausgeführt.',
  decided: {
    awaiting_approval: 'wartet',
    approved: 'genehmigt',
    denied: 'abgelehnt',
    expired: 'verfallen, nichts wurde ausgeführt'
  },
  route: {
    chat: 'von Ihnen im Chat',
    chat_assent: 'durch Ihre Nachricht',
    ops: 'von Ihnen im Betrieb',
    fleet: 'von Ihnen auf der Seite der Flotte',
    notification: 'von Ihnen aus einer Mitteilung',
    dialog: 'von Ihnen im Dialog',
    tray: 'von Ihnen aus der Leiste',
    matrix: 'von Ihnen über Matrix',
    window: 'durch das Zustimmungsfenster',
    policy: 'durch eine Regel',
    plan: 'mit seinem Plan'
  },
  reasonGiven: (reason) => `„${reason}“`,
  hidden: 'Ein Zeichen, das man nicht sieht',
  foreign: 'Ein Zeichen außerhalb von ASCII, das einem anderen gleichen kann',
  loading: 'Lädt, was zu entscheiden ist',
  verb: {
    pct_create: 'Container anlegen',
    pct_start: 'Container starten',
    pct_shutdown: 'Container herunterfahren',
    pct_stop: 'Container stoppen',
    pct_reboot: 'Container neu starten',
    pct_set: 'Container ändern',
    pct_resize: 'Platte vergrößern',
    pct_snapshot: 'Snapshot erstellen',
    pct_rollback: 'Zurücksetzen',
    pct_delsnapshot: 'Snapshot löschen',
    pct_clone: 'Container klonen',
    pct_destroy: 'Container vernichten',
    pct_push: 'Datei hineinlegen',
    pct_pull: 'Datei herausholen',
    pct_exec: 'Im Container ausführen',
    template_download: 'Vorlage laden',
    vm_start: 'VM starten',
    vm_shutdown: 'VM herunterfahren',
    vm_stop: 'VM stoppen',
    vm_reboot: 'VM neu starten',
    vm_snapshot: 'Snapshot erstellen',
    vm_rollback: 'Zurücksetzen',
    vm_delsnapshot: 'Snapshot löschen',
    apt_upgrade: 'Pakete aktualisieren',
    systemctl: 'systemctl ausführen',
    restart: 'Neu starten',
    run: 'Befehl ausführen'
  },
  unitVerb: {
    start: 'Dienst starten',
    stop: 'Dienst anhalten',
    restart: 'Dienst neu starten',
    reload: 'Dienst neu laden',
    enable: 'Dienst aktivieren',
    disable: 'Dienst abschalten'
  },
  verbElse: 'Zustimmen'
}

export const assent: Catalogue['assent'] = {
  label: 'Zustimmungsfenster',
  body: 'Auf Ergebnisse folgt von selbst der nächste Schritt; Anfragen im Rahmen laufen ohne Rückfrage.',
  short: 'Macht von selbst weiter',
  end: 'Beenden',
  continuations: (n) => count(n, 'Fortsetzung', 'Fortsetzungen')
}
