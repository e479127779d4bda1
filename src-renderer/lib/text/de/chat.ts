import type { Catalogue } from '../index'
import { count } from '../count'

export const chat: Catalogue['chat'] = {
  conversation: 'Gespräch',
  placeholder: 'Sagen Sie, was geschehen soll',
  send: 'Senden',
  stop: 'Anhalten',
  queue: 'Einreihen',
  queued: 'eingereiht, wird gesendet, wenn dieser Zug endet',
  editQueued: 'Eingereihte Nachricht bearbeiten',
  removeQueued: 'Eingereihte Nachricht entfernen',
  jump: 'Zum Neuesten',
  waits: (n) => count(n, 'Entscheidung wartet', 'Entscheidungen warten'),
  ready: 'Bereit',
  waiting: 'Wartet auf Ihre Entscheidung',
  thinking: 'Denkt nach',
  answering: 'Antwortet',
  modelBusy: (time) => `Der Dienst des Modells hat noch nicht geantwortet; neue Anfrage in ${time}`,
  modelBusyNow: 'Der Dienst des Modells hat noch nicht geantwortet; wird neu angefragt',
  modelAwaited: 'Wartet auf den Dienst des Modells',
  modelGone: (time) => `Der Dienst des Modells ist mehrmals ausgefallen; neuer Versuch in ${time}`,
  modelGoneNow: 'Der Dienst des Modells ist mehrmals ausgefallen; neuer Versuch läuft',
  held: 'Wartet auf Ihr Wort, um weiterzumachen',
  lastFailed: 'Der letzte Zug ist fehlgeschlagen',
  hostGone: (host, title) => `${host} ist zurzeit nicht zu erreichen: ${title}`,
  andMore: (title, n) => `${title} und ${n} weitere`,
  noAnswer: 'Dieser Zug endete ohne Antwort. Es wurde nichts weiter ausgeführt; fragen Sie noch einmal.',
  continued: 'Von selbst weitergemacht',
  older: 'Ältere Nachrichten werden geladen',
  start: 'Der Anfang dieser Sitzung',
  showLong: (lines) => `Alle ${lines} Zeilen zeigen`,
  foldLong: 'Einklappen',
  copyMessage: 'Nachricht kopieren',
  fork: 'Ab hier abzweigen',
  resend: 'Bearbeiten und noch einmal senden',
  retry: 'Noch einmal ausführen',
  opening: 'Die Sitzung wird geöffnet',
  hello: 'Was soll auf Ihrer Flotte geschehen?',
  helloLong: 'Nomos schaut nach, schlägt einen Plan vor, fragt Sie, führt ihn über SSH aus und prüft.',
  suggestions: [
    'Was läuft gerade?',
    'Welche Gäste haben Aktualisierungen offen?',
    'Richte TypeType als LXC auf strong ein',
    'Ist ein Speicher fast voll?'
  ],
  image: (alt) => (alt === '' ? 'Bild, nicht geladen' : `Bild, nicht geladen: ${alt}`)
}

const refusedWords = {
  too_large: 'zu groß, gesendet werden höchstens 1.000.000 Zeichen',
  too_many: 'eine Nachricht fasst zehn Anhänge',
  not_text: 'kein Text in UTF-8',
  empty: 'leer',
  unreadable: 'nicht lesbar'
}

export const attachment: Catalogue['attachment'] = {
  pasted: (n) => `Eingefügter Text ${n}`,
  size: (size, lines) => `${size}, ${count(lines, 'Zeile', 'Zeilen')}`,
  open: (name) => `${name} öffnen`,
  remove: (name) => `${name} entfernen`,
  copy: 'Diesen Text kopieren',
  toText: 'In Text umwandeln',
  add: 'Textdateien anhängen',
  drop: 'Textdateien hier ablegen, um sie anzuhängen',
  cut: 'Das Modell liest Anfang und Ende. Der ganze Text bleibt bei der Nachricht.',
  refusedSeveral: (n) => `${n} Dateien wurden nicht angehängt.`,
  because: (names, more, why) =>
    `${names.join(', ')}${more > 0 ? ` und ${more} weitere` : ''}: ${refusedWords[why]}.`,
  refused: {
    too_large: {
      message: (name) => `„${name}“ ist zu groß zum Anhängen: Gesendet werden höchstens 1.000.000 Zeichen.`,
      hint: 'Hängen Sie den Teil an, auf den es ankommt, oder legen Sie die Datei auf einen Host und sagen Sie, wo.'
    },
    too_many: {
      message: (name) => `„${name}“ wurde nicht angehängt: Eine Nachricht fasst zehn Anhänge.`,
      hint: 'Senden Sie erst diese, oder entfernen Sie einen.'
    },
    not_text: {
      message: (name) => `„${name}“ ist kein Text in UTF-8 und wurde deshalb nicht angehängt.`,
      hint: 'Der Agent liest nur Texte: Protokolle, Konfiguration, Markdown, Quelltext.'
    },
    empty: {
      message: (name) => `„${name}“ ist leer und wurde deshalb nicht angehängt.`,
      hint: 'Prüfen Sie, ob es die richtige Datei ist.'
    },
    unreadable: {
      message: (name) => `„${name}“ konnte nicht gelesen werden und wurde deshalb nicht angehängt.`,
      hint: 'Ordner lassen sich nicht anhängen. Prüfen Sie bei einer Datei die Zugriffsrechte.'
    }
  }
}

export const tools: Catalogue['tools'] = {
  done: (n, time) => `${count(n, 'Schritt', 'Schritte')} in ${time}`,
  failed: (failed, total, sentence) => `${failed} von ${total} fehlgeschlagen: ${sentence}`,
  stopped: (done, total) => `angehalten bei ${done} von ${total}`,
  more: (sentence, n) => `${sentence} und ${n} weitere`,
  next: 'Liest die Ergebnisse',
  label: 'Werkzeugaufrufe',
  input: 'Eingabe',
  output: 'Ausgabe',
  noInput: 'Ohne Eingabe aufgerufen.',
  noOutput: 'Keine Ausgabe.',
  pendingOutput: 'Der Aufruf ist noch nicht zu Ende.',
  lost: 'Die App endete vor diesem Aufruf; sein Ergebnis ist nicht bekannt.',
  text: 'Text',
  asText: 'Wie das Modell es sah',
  asData: 'Als Daten',
  hiddenLines: (n) => `${n} Zeilen dazwischen`,
  hiddenRows: (n) => `${n} weitere Zeilen`
}

export const diff: Catalogue['diff'] = {
  change: { added: 'neue Datei', removed: 'entfernt' },
  counts: (added, removed) =>
    `${count(added, 'Zeile', 'Zeilen')} hinzugefügt, ${count(removed, 'Zeile', 'Zeilen')} entfernt`,
  files: (n) => count(n, 'Datei', 'Dateien')
}

export const inspector: Catalogue['inspector'] = {
  label: 'Inspektor',
  show: 'Inspektor zeigen',
  hide: 'Inspektor ausblenden',
  empty: 'Pläne und Ausführungen dieser Sitzung erscheinen hier.',
  executions: 'Ausführungen'
}
