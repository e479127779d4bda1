import type { Catalogue } from '../catalogue'
import type { Facts } from '../facts'
import { decimal, time } from './numbers'

/** What a program of a command does that is dangerous: said after its name. */
const dangers: Readonly<Record<string, string>> = {
  changes_disks: 'ändert Platten oder Dateisysteme',
  changes_disk: 'ändert Platten',
  changes_accounts: 'ändert, wer sich anmelden darf',
  removes_silently: 'entfernt ohne Rückfrage',
  removes_system_file: 'entfernt eine Datei des Systems',
  removes_system_folder: 'entfernt einen Ordner des Systems',
  destroys_files: 'vernichtet Dateien',
  truncates: 'schneidet Dateien ab',
  writes_raw: 'schreibt rohe Daten',
  deletes_found: 'löscht, was es findet',
  writes_files: 'schreibt in Dateien',
  changes_zfs: 'vernichtet ZFS-Daten oder setzt sie zurück',
  changes_zpool: 'ändert einen ZFS-Pool',
  restores_over: 'spielt eine Sicherung über einen Gast ein',
  removes_stored: 'entfernt etwas von einem Speicher',
  api_deletes: 'löscht oder stoppt über die API',
  changes_cluster: 'ändert den Cluster',
  changes_ha: 'ändert die Hochverfügbarkeit',
  changes_ceph: 'ändert Ceph',
  removes_backups: 'entfernt Sicherungen',
  stops_or_prunes: 'stoppt Gäste oder entfernt Sicherungen',
  changes_firewall: 'öffnet oder schließt die Firewall',
  replaces_firewall: 'ersetzt die Firewall',
  loosens_firewall: 'nimmt Regeln aus der Firewall',
  stops_firewall: 'hält die Firewall an',
  cuts_network: 'kann das Netz abschneiden',
  stops_machine: 'fährt den Rechner herunter',
  restarts_machine: 'startet den Rechner neu',
  stops_or_restarts: 'stoppt den Rechner oder startet ihn neu',
  changes_runlevel: 'ändert den Betriebszustand',
  stops_needed_unit: 'stoppt einen Dienst, auf dem der Rechner ruht',
  removes_logs: 'entfernt Protokolle',
  removes_packages: 'entfernt Pakete',
  removes_schedule: 'entfernt geplante Aufgaben',
  changes_rights: 'ändert Rechte im System',
  changes_owners: 'ändert Besitzer im System',
  replaces_system_files: 'ersetzt Dateien des Systems',
  writes_system_files: 'schreibt in Dateien des Systems',
  changes_system_files: 'ändert Dateien des Systems',
  deletes_copying: 'löscht beim Kopieren',
  removes_images: 'entfernt Container, Abbilder oder Datenträger',
  removes_containers: 'entfernt Container',
  discards_changes: 'verwirft Änderungen',
  ends_processes: 'beendet die Prozesse des Rechners',
  ends_all: 'beendet alle Prozesse',
  changes_kernel: 'ändert Einstellungen des Kernels',
  takes_memory: 'nimmt Arbeitsspeicher weg',
  changes_boot: 'ändert, wie der Rechner startet',
  destroys_container: 'vernichtet einen Container',
  stops_container: 'stoppt einen Container',
  destroys_machine: 'vernichtet eine virtuelle Maschine',
  takes_settings: 'nimmt einem Gast Einstellungen',
  forced: 'erzwingt etwas'
}

/** Why a command as a whole is more than reading. */
const others: Readonly<Record<string, string>> = {
  removes_system: 'Es würde das System selbst entfernen.',
  control_characters: 'Es enthält Steuerzeichen, die verbergen würden, was läuft.',
  fork_bomb: 'Es ist eine Forkbombe: Sie würde den Host lahmlegen.',
  too_long: 'Es ist zu lang, um als Ganzes verstanden zu werden.',
  too_deep: 'Es ist zu tief verschachtelt.',
  not_understood: 'Es wird nicht ganz verstanden.',
  background: 'Es läuft im Hintergrund weiter.',
  sets_variables: 'Es setzt Variablen.',
  expands: 'Es enthält Wörter, die die Shell noch ersetzen würde (* ? [ ~ $).',
  runs_fetched: 'Es führt aus, was aus dem Netz kommt.',
  removes_named: 'Es entfernt, was immer ihm genannt wird.',
  feeds_text: 'Es gibt einem Befehl Text ein.',
  ambiguous: 'Verschiedene Shells verstehen es verschieden (&>).',
  opens_file: 'Es öffnet eine Datei.',
  reads_file: 'Es liest eine Datei ein.',
  writes_file: 'Es schreibt in eine Datei.',
  unusual_way: 'Es führt einen Befehl anders als üblich aus.',
  never_ends: 'Es endet nie.',
  reads_words: 'Es führt einen Befehl mit Wörtern aus, die eingelesen werden.',
  unusual_path: 'Es führt ein Programm von einem ungewöhnlichen Ort aus.',
  built_text: 'Es führt einen Text aus, der erst zusammengesetzt wird.',
  hidden_script: 'Es führt ein Skript aus, das nicht gezeigt wird.',
  shell_options: 'Es gibt einer Shell Optionen oder Argumente.',
  runs_on_found: 'Es führt einen Befehl auf dem aus, was es findet.',
  other_machine: 'Es wirkt auf einen anderen Rechner.'
}

const reasons: Catalogue['sayings'] = Object.fromEntries([
  ...Object.entries(dangers).map(([id, what]) => [
    `reason.${id}`,
    (f: Facts) => `${f.text('about')} ${what}.`
  ]),
  ...Object.entries(others).map(([id, sentence]) => [`reason.${id}`, () => sentence])
])

const risks: Readonly<Record<string, string>> = {
  read_only: 'Lesen',
  service_action: 'Dienstaktionen',
  config_mutation: 'Änderungen der Konfiguration',
  destructive: 'nicht umkehrbare Aktionen'
}

const decisions: Readonly<Record<string, string>> = { ask: 'fragen', allow: 'erlauben', deny: 'ablehnen' }

function yourRule(f: Facts): string {
  const what = risks[f.text('risk')] ?? 'alles'
  const where = [f.has('target') && `bei ${f.text('target')}`, f.has('host') && `auf Host ${f.text('host')}`]
  return `Ihre Regel: ${[what, ...where.filter((part) => part !== false)].join(' ')} ${decisions[f.text('decision')] ?? ''}.`
}

const defaults: Readonly<Record<string, string>> = {
  read_only: 'Lesen braucht keine Zustimmung.',
  service_action: 'Dienstaktionen fragen, wenn keine Regel etwas anderes sagt.',
  config_mutation: 'Änderungen der Konfiguration fragen, wenn keine Regel etwas anderes sagt.',
  destructive: 'Was nicht umkehrbar ist, fragt immer und jedes Mal einzeln.'
}

const status: Readonly<Record<string, string>> = { running: 'läuft', stopped: 'ist gestoppt' }
const isNow = (f: Facts): string => status[f.text('status')] ?? 'ist in keinem bekannten Zustand'

const unitStates: Readonly<Record<string, string>> = {
  active: 'läuft',
  inactive: 'läuft nicht',
  failed: 'ist fehlgeschlagen',
  activating: 'startet',
  deactivating: 'hält an',
  reloading: 'lädt neu',
  enabled: 'ist aktiviert',
  disabled: 'ist deaktiviert',
  masked: 'ist gesperrt',
  static: 'startet ohne Aktivierung'
}

/** What was read back after an action. */
const proofs: Catalogue['sayings'] = {
  'proof.exit_zero': () => 'Der Befehl endete mit Exit-Code 0.',
  'proof.guest_is': (f) => `Der Gast ${isNow(f)}.`,
  'proof.guest_made': (f) =>
    `Der Gast ist da${f.has('named') ? `, heißt aber ${f.text('named')},` : ''} und ${isNow(f)}.`,
  'proof.guest_there': (f) =>
    f.is('there') ? `${f.text('name', 'Der Gast')} ist da.` : `${f.text('name', 'Der Gast')} ist nicht da.`,
  'proof.guest_absent': () => 'Den Gast gibt es nicht.',
  'proof.packages': (f) =>
    f.list('left').length === 0
      ? `${f.list('packages').join(', ')}: auf dem neuesten Stand.`
      : `Noch offen: ${f.list('left').join(', ')}.`,
  'proof.updates': (f) =>
    [
      f.text('told'),
      f.list('left').length === 0
        ? 'Keine Aktualisierung ist offen.'
        : `Zurückgehalten: ${f.list('left').join(', ')}.`
    ]
      .filter((part) => part !== '')
      .join(' '),
  'proof.snapshot': (f) => `Der Snapshot ${f.text('name')} ist ${f.is('there') ? 'da' : 'nicht da'}.`,
  'proof.same_file': (f) =>
    f.is('same') ? 'Die Kopie gleicht dem Original.' : 'Die Kopie gleicht dem Original nicht.',
  'proof.file_there': (f) =>
    f.is('is', 'right')
      ? 'Die Datei ist mit dem richtigen Inhalt im Container.'
      : f.is('is', 'other')
        ? 'Die Datei ist im Container, aber mit anderem Inhalt.'
        : 'Die Datei ist nicht im Container.',
  'proof.disk_is': (f) =>
    f.has('gib')
      ? `Die Platte hat ${decimal(f.number('gib'), 1)} GiB.`
      : 'Die Größe der Platte ist nicht bekannt.',
  'proof.settings': (f) => {
    const wrong = Object.entries(f.fields('wrong'))
    if (wrong.length === 0) return 'Die Konfiguration ist so.'
    return `${wrong.map(([key, value]) => `${key} ist ${typeof value === 'string' ? value : 'nicht gesetzt'}`).join(', ')}.`
  },
  'proof.unit_is': (f) =>
    `${f.text('unit')} ${unitStates[f.text('state')] ?? `ist ${f.text('state', 'unbekannt')}`}.`,
  'proof.volume': (f) => `${f.text('volume')} ist ${f.is('there') ? 'da' : 'nicht da'}.`
}

/** Sentences by their id: which rule asks, why a command counts as it does, what was read back. */
export const sayings: Catalogue['sayings'] = {
  ...reasons,
  ...proofs,
  'reason.unlisted': (f) =>
    `${f.text('about')} steht, so verwendet, nicht auf der Liste dessen, was nur liest und keine Geheimnisse zeigt.`,
  'reason.syntax': (f) => `Es verwendet Shell-Syntax jenseits einfacher Befehle (${f.text('about')}).`,
  'reason.writes_to': (f) => `Es schreibt nach ${f.text('about')}.`,
  'reason.guest_verb': (f) => `${f.text('about')} bei einem Gast.`,
  'rule.yours': yourRule,
  'rule.default': (f) => defaults[f.text('risk')] ?? '',
  'rule.window': () => 'Durch das Zustimmungsfenster gedeckt, das Sie geöffnet haben.',
  'rule.allowed': (f) => `Sie haben genau dies bis ${time(f.number('until'))} erlaubt.`,
  'rule.plan': (f) => {
    const alone = f.list('alone')
    if (alone.length === 0) return 'Einem Plan wird als Ganzem zugestimmt.'
    const steps =
      alone.length === 1 ? `Schritt ${alone.join()} fragt` : `die Schritte ${alone.join(', ')} fragen`
    return `Einem Plan wird als Ganzem zugestimmt; ${steps} noch einmal einzeln, weil sich das nicht umkehren lässt.`
  }
}
