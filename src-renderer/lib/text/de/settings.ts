import type { Catalogue } from '../index'

export const settings: Catalogue['settings'] = {
  title: 'Einstellungen',
  sections: {
    model: 'Modell',
    hosts: 'Hosts',
    policies: 'Regeln',
    secrets: 'Geheimnisse',
    appearance: 'Darstellung',
    notifications: 'Mitteilungen',
    mcp: 'MCP-Server',
    keyboard: 'Tastatur',
    data: 'Daten',
    lab: 'Labor',
    about: 'Über Nomos'
  },
  problems: (n) =>
    n === 1 ? 'Ein Problem mit der Konfigurationsdatei' : `${n} Probleme mit der Konfigurationsdatei`,
  showProblems: 'Zeigen',
  file: 'Konfigurationsdatei',
  saved: 'Gespeichert',
  save: 'Speichern',
  model: {
    provider: 'Anbieter',
    custom: 'Anderer, verträglich mit OpenAI',
    address: 'Adresse',
    name: 'Modell',
    nameHint: 'Wie der Anbieter es nennt',
    key: 'API-Schlüssel',
    keyStored: (name) => `Gespeichert als ${name}; er wird nie gezeigt.`,
    keyNone: 'Keiner gespeichert.',
    keyHint: 'Einfügen, um ihn zu setzen oder zu ersetzen',
    keyEnv: (name) => `Aus der Umgebung gelesen als ${name}.`,
    context: 'Token, die es auf einmal lesen kann',
    check: 'Prüfen',
    checking: 'Prüft',
    inUse: (name) => `In Gebrauch: ${name}`,
    noneInUse: 'Kein Modell ist eingerichtet.',
    unencrypted:
      'Alles Gesagte und der Schlüssel gingen unverschlüsselt und über fremde Netze an diese Adresse. Mit Schlüssel wird nichts gesendet; nehmen Sie https.',
    steps: {
      text: 'Antwortet mit Text',
      tool: 'Ruft ein Werkzeug auf',
      parallel_tools: 'Ruft mehrere Werkzeuge zugleich auf',
      tool_without_arguments: 'Ruft ein Werkzeug ohne Angaben auf',
      long_prompt: 'Liest lange Anfragen ganz',
      cancel: 'Hält an, wenn man es sagt',
      address: 'Ist abhörsicher zu erreichen'
    },
    all: 'Modelle',
    add: 'Modell hinzufügen',
    unnamed: 'Neues Modell',
    usualBody: 'Sitzungen nutzen dieses, wenn sie kein anderes wählen.',
    furtherBody: 'Eine Sitzung kann es in ihrem Kopf wählen.',
    ownName: 'Name',
    ownNameHint: 'So nennt ihn die Auswahl im Gespräch',
    saveFirst: 'Erst speichern, dann prüfen.',
    begin: 'Ein Gespräch beginnen'
  },
  policies: {
    body: 'Die erste Regel, die passt, entscheidet. Nicht Umkehrbares fragt immer, gleich welche Regel gilt.',
    defaults: 'Wo keine Regel passt',
    examples: {
      read_only: 'Zustand, Listen, Protokolle',
      service_action: 'Neu starten, starten, herunterfahren',
      config_mutation: 'Anlegen, ändern, aktualisieren, Snapshot machen',
      destructive: 'Vernichten, zurücksetzen, sofort stoppen'
    },
    byDefault: {
      read_only: 'läuft',
      service_action: 'fragt, sofern das Zustimmungsfenster es nicht abdeckt',
      config_mutation: 'fragt, sofern das Zustimmungsfenster es nicht abdeckt',
      destructive: 'fragt immer, einzeln'
    },
    none: 'Noch keine eigene Regel.',
    add: 'Regel hinzufügen',
    risk: 'Risiko',
    host: 'Host',
    target: 'Ziel',
    decision: 'Entscheidung',
    any: 'beliebig',
    decisions: { ask: 'fragen', allow: 'ohne Rückfrage ausführen', deny: 'verweigern' },
    window: 'Zustimmungsfenster, Minuten',
    expiry: 'Anfragen verfallen nach, Minuten'
  },
  secrets: {
    keychain: 'Im Schlüsselbund Ihres Systems.',
    memory: 'Nur für diesen Lauf; nach einem Neustart wird wieder gefragt.',
    tryAgain: 'Schlüsselbund noch einmal versuchen',
    trying: 'Fragt den Schlüsselbund',
    works: 'Der Schlüsselbund ist jetzt da. Was nur für diesen Lauf galt, liegt nun darin.',
    none: 'Nichts ist gespeichert.',
    usedBy: (who) => `Benutzt von ${who}`,
    unused: 'Zurzeit nicht benutzt',
    uses: {
      model: 'dem Modell',
      host: (name) => `Host ${name}`,
      server: (name) => `MCP-Server ${name}`
    },
    test: 'Prüfen',
    tested: {
      key: (fingerprint) => `Lesbar: ein privater Schlüssel, ${fingerprint}`,
      locked_key: 'Lesbar: ein privater Schlüssel mit Passphrase',
      text: 'Lesbar'
    },
    testLabel: (name) => `${name} prüfen`,
    replaceLabel: (name) => `${name} ersetzen`,
    replace: 'Ersetzen',
    value: 'Neuer Wert',
    deleteTitle: (name) => `${name} löschen`,
    deleteBody: 'Was es benutzt, geht nicht mehr, bis es wieder gesetzt ist.'
  },
  appearance: {
    theme: 'Farben',
    themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    systemLanguage: 'System',
    nativeDialog: 'In einem Dialog des Systems um Zustimmung fragen, wenn das Fenster nicht vorn ist',
    closeToTray:
      'In der Leiste weiterlaufen, wenn das Fenster geschlossen wird, solange etwas läuft oder wartet',
    badge: 'Am Symbol und im Titel des Fensters zeigen, wie viele Entscheidungen warten',
    startup: 'Start',
    atLogin: 'Nomos starten, wenn ich mich anmelde',
    hidden: 'In der Leiste starten, ohne das Fenster'
  },
  notifications: {
    body: 'Gezeigt, während Sie anderswo sind; mehrere zugleich sind eine. Ein Klick führt an die Stelle.',
    kinds: {
      approvals: 'Wenn etwas Ihre Zustimmung braucht',
      needsYou: 'Wenn der Agent angehalten hat und Sie zum Weitermachen braucht',
      failures: 'Wenn eine Ausführung fehlschlug, zu lange dauerte oder verloren ging',
      executions: 'Wenn eine Ausführung fertig ist',
      signals: 'Wenn etwas auf der Flotte Aufmerksamkeit braucht'
    },
    noButtons:
      'Unter Linux haben sie keine Knöpfe. Ohne dieses Fenster entscheiden Sie in der Leiste des Systems oder in dessen Dialog (unter „Darstellung“).',
    dialog: 'Um Zustimmung bittet ein Dialog des Systems; eine Mitteilung wiederholt das nicht.'
  },
  data: {
    body: 'Jeden Tag entsteht eine geprüfte Kopie der Datenbank; sieben werden behalten. Geheimnisse sind nicht darin.',
    none: 'Noch keine Sicherung.',
    backUp: 'Jetzt sichern',
    made: 'Gesichert.',
    restore: 'Zurückholen',
    restoreTitle: (name) => `${name} zurückholen`,
    restoreBody:
      'Die Sicherung wird geprüft, und Nomos startet mit ihr neu. Was jetzt da ist, bleibt unter den Sicherungen. Was damals wartete oder lief, wird geschlossen.',
    restoreDo: 'Zurückholen und neu starten',
    showBackups: 'Ordner der Sicherungen',
    help: 'Fehlersuche',
    helpBody:
      'Versionen, Einstellungen, Zahlen und das Ende des Protokolls in einer Datei, ohne Geheimnisse.',
    diagnostics: 'Diagnose speichern',
    logs: 'Ordner der Protokolle'
  },
  lab: {
    body: 'Ein simulierter Cluster mit zwei Knoten und ein Modell nach Drehbuch, nur auf diesem Rechner.',
    running: 'Das Labor läuft. Seine Hosts und sein Modell stehen für echte.',
    start: 'Labor starten',
    stop: 'Labor anhalten'
  },
  mcp: {
    body: 'Werkzeuge anderer MCP-Server. Jeder Server wird einmal bestätigt, jedes Werkzeug einzeln erlaubt.',
    none: 'Kein fremder Server ist eingerichtet.',
    add: 'Server hinzufügen',
    name: 'Name, in Kleinbuchstaben',
    reached: 'Wie er erreicht wird',
    kinds: { command: 'Programm', url: 'Adresse' },
    command: 'Programm und Angaben',
    commandHint: 'Je eine Zeile: erst das Programm, dann jede Angabe. Vor Ihrer Bestätigung läuft nichts.',
    env: 'Variablen',
    envHint: 'Je eine Zeile, NAME=Wert. Ein Wert wie keychain:NAME steht für dieses Geheimnis.',
    url: 'Adresse',
    token: 'Token',
    tokenHint: 'Kommt in den Schlüsselbund; leer, wenn keiner nötig ist.',
    states: {
      unconfirmed: 'nicht bestätigt',
      connecting: 'verbindet',
      connected: 'verbunden',
      waiting: 'abgebrochen, wird wieder versucht',
      failed: 'fehlgeschlagen'
    },
    confirmCommand: 'Dieses Programm würde genau so auf diesem Rechner starten, mit Ihren Rechten.',
    confirmUrl: 'Zu dieser Adresse würde genau so verbunden.',
    start: 'Dieses Programm starten',
    connect: 'Verbinden',
    reconnect: 'Noch einmal versuchen',
    changed: 'Es wurde geändert, seit Sie es erlaubt haben, und ist darum aus.',
    was: 'Sie erlaubten:',
    unusable: (why) => `Nicht zu benutzen: ${why}`,
    removeTitle: (name) => `${name} entfernen`,
    removeBody: 'Seine Werkzeuge fehlen dem Agenten sofort.'
  },
  keyboard: {
    body: 'Wählen Sie ein Kürzel und drücken Sie die neuen Tasten. Das Menü des Fensters zeigt dieselben.',
    palette: 'Befehle öffnen',
    preferences: 'Einstellungen öffnen',
    page: (name) => `Zur Seite ${name}`,
    none: 'keine',
    press: 'Tasten drücken',
    how: 'Esc behält die alten Tasten, die Rücktaste lässt es ohne.',
    change: (label, keys) => `${label}: ${keys}. Tasten ändern`,
    recording: (label) => `${label}: neue Tasten drücken`,
    reset: (label, keys) => `${label}: zurück zu ${keys}`,
    resetAll: 'Alle zurücksetzen',
    used: (keys, label) => `${keys} gehört schon zu „${label}“.`,
    take: 'Hier verwenden',
    keep: 'So lassen',
    faults: {
      unknown: (keys) =>
        `${keys} kann kein Kürzel sein. Nehmen Sie einen Buchstaben, eine Ziffer oder eine Funktionstaste.`,
      plain: (keys) => `${keys} allein dient zum Schreiben. Halten Sie Strg, Command oder Alt dazu.`,
      taken: (keys) => `${keys} gehört dem System oder dem Bearbeiten von Text.`
    },
    fixed: 'Immer gleich',
    send: 'Die Nachricht senden',
    newLine: 'Neue Zeile in der Nachricht',
    escape: 'Schließen, was offen ist, ein Feld verlassen',
    zoom: 'Größer, kleiner, Originalgröße',
    close: 'Das Fenster schließen',
    quit: 'Nomos beenden'
  },
  about: { version: (version) => `Version ${version}`, logs: 'Protokolle zeigen' }
}
