import type { Texts } from '.'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

export const de: Texts = {
  language: 'de',
  menu: {
    file: 'Datei',
    newSession: 'Neue Sitzung',
    close: 'Fenster schließen',
    quit: 'Nomos beenden',
    edit: 'Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    view: 'Ansicht',
    actualSize: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fullScreen: 'Vollbild',
    reload: 'Neu laden',
    developerTools: 'Entwicklerwerkzeuge',
    window: 'Fenster',
    minimize: 'Minimieren',
    help: 'Hilfe',
    showLogs: 'Protokolle zeigen',
    about: 'Über Nomos',
    services: 'Dienste',
    hide: 'Nomos ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
    preferences: 'Einstellungen'
  },
  pages: { chat: 'Chat', ops: 'Betrieb', fleet: 'Flotte', knowledge: 'Wissen', settings: 'Einstellungen' },
  risk: {
    read_only: 'liest nur',
    service_action: 'wirkt auf einen Dienst',
    config_mutation: 'ändert die Konfiguration',
    destructive: 'zerstört, nicht umkehrbar'
  },
  card: {
    where: (target, host) => `${target} auf ${host}`,
    guest: 'Gast',
    plan: (title, n) => `${title} (${count(n, 'Schritt', 'Schritte')})`
  },
  decide: { approve: 'Zustimmen', deny: 'Ablehnen', show: 'In Nomos zeigen' },
  tray: {
    waiting: (n) => count(n, 'Entscheidung wartet auf Sie', 'Entscheidungen warten auf Sie'),
    running: (n) => count(n, 'Ausführung läuft', 'Ausführungen laufen'),
    pause: 'Den Agenten anhalten',
    open: 'Nomos öffnen',
    quit: 'Beenden',
    tip: {
      waiting: (n) => count(n, 'wartet auf Sie', 'warten auf Sie'),
      running: (n) => count(n, 'läuft', 'laufen'),
      thinking: 'der Agent arbeitet'
    }
  },
  time: {
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    hours: (hours, minutes) => `${hours} h ${minutes} min`
  },
  notice: {
    approve: (title) => `Zustimmen? ${title}`,
    openToSee: 'Öffnen Sie Nomos, um alles zu sehen und zu entscheiden.',
    outcome: {
      succeeded: 'Fertig',
      failed: 'Fehlgeschlagen',
      timed_out: 'Zeit überschritten',
      interrupted: 'Unterbrochen',
      lost: 'Aus den Augen verloren'
    },
    on: (host) => `auf ${host}`,
    needsYou: 'Der Agent braucht Sie',
    decisions: (n) => `${n} Entscheidungen warten auf Sie`,
    things: (n, decisions) =>
      decisions === 0
        ? `${n} Dinge sind geschehen`
        : `${n} Dinge sind geschehen, ${count(decisions, 'braucht eine Entscheidung', 'brauchen eine Entscheidung')}`,
    staysTitle: 'Nomos läuft im Hintergrund weiter',
    staysBody:
      'Etwas läuft noch oder wartet auf Sie. Das Fenster öffnet sich über die Leiste oder wenn Sie Nomos noch einmal starten.'
  },
  approval: {
    title: 'Nomos bittet um Ihre Zustimmung',
    more: (n) => `und ${n} weitere`,
    undo: (what) => `Rückgängig: ${what}`,
    destructive: 'Dem stimmen Sie in Nomos selbst zu, wo der Name eingegeben wird.'
  },
  link: {
    title: 'Im Browser öffnen',
    question: 'Diese Adresse in Ihrem Browser öffnen?',
    cancel: 'Abbrechen',
    open: 'Öffnen'
  },
  server: {
    title: 'Ein Programm auf diesem Rechner starten',
    question: (name) => `Darf Nomos dieses Programm für den MCP-Server „${name}“ starten?`,
    body: 'Es läuft auf diesem Rechner mit Ihren Rechten, genau so:',
    variables: 'Mit diesen Variablen:',
    cancel: 'Nicht starten',
    start: 'Starten'
  },
  failure: { title: 'Nomos kann nicht starten', close: 'Schließen Sie dieses Fenster, um zu beenden.' },
  autostart: (why) =>
    `Der Start mit der Anmeldung ließ sich nicht einrichten: ${why}. Versuchen Sie es unter Einstellungen, Darstellung noch einmal.`
}
