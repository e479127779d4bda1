import type { Catalogue } from '../index'

export const sessions: Catalogue['sessions'] = {
  label: 'Sitzungen',
  new: 'Neue Sitzung',
  untitled: 'Neue Sitzung',
  search: 'Sitzung suchen',
  none: 'Noch keine Sitzung. Schreiben Sie unten, um eine zu beginnen.',
  noHits: 'Nichts gefunden.',
  fold: 'Liste der Sitzungen einklappen',
  unfold: 'Liste der Sitzungen zeigen',
  menu: 'Menü der Sitzung',
  rename: 'Umbenennen',
  exportMarkdown: 'Als Markdown kopieren',
  saveJson: 'Als Datei speichern …',
  import: 'Sitzung aus einer Datei einlesen',
  review: 'Diese Sitzung untersuchen',
  reviewRequest: (title, id) =>
    `Untersuche die Sitzung „${title}“ (${id}) mit dem Skill session-review: Wurde ihr Ziel erreicht, und wenn nicht, warum?`,
  delete: 'Löschen',
  deleteTitle: 'Diese Sitzung löschen',
  deleteBody: (title) =>
    `„${title}“ und ihre Nachrichten werden gelöscht. Was auf Hosts getan wurde, bleibt im Prüfprotokoll.`,
  deleteOpen:
    'Was darin auf Ihre Entscheidung wartet, wird abgelehnt; was auf einem Host läuft, läuft weiter.',
  title: 'Titel'
}

export const usage: Catalogue['usage'] = {
  label: 'Verbrauch des Modells',
  used: (used) => `${used} Token`,
  ofWindow: (used, window) => `${used} von ${window}`,
  context: 'Kontext',
  input: 'Token hinein',
  cached: 'davon im Cache',
  output: 'Token heraus',
  cost: 'Kosten',
  size: 'Gespeichert',
  untold: 'nicht mitgeteilt',
  estimated: 'Dieser Dienst zählt nicht; der Kontext ist aus der Länge des Textes geschätzt.',
  body: 'Hinein und heraus sind über die ganze Sitzung summiert, der Kontext ist der der neuesten Antwort.'
}

export const models: Catalogue['models'] = {
  choose: 'Modell dieser Sitzung wählen',
  heading: 'Modell dieser Sitzung',
  usual: 'Standard',
  none: 'Kein Modell',
  gone: (name) => `${name}: nicht eingerichtet`,
  settings: 'Modelle einrichten …'
}
