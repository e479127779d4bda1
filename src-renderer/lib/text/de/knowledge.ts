import type { Catalogue } from '../index'
import { count } from '../count'

export const knowledge: Catalogue['knowledge'] = {
  title: 'Wissen',
  search: 'Im Wissen suchen',
  documents: 'Notizen, Anleitungen',
  skills: 'Fähigkeiten',
  newNote: 'Neue Notiz',
  noteTitle: 'Titel',
  noteBody: 'Was wissenswert ist, in Markdown',
  none: 'Notizen, Anleitungen und was früher getan wurde, sind hier zu finden. Auch der Agent liest sie.',
  noHits: 'Zu dieser Suche wurde nichts gefunden.',
  hits: (n) => count(n, 'Treffer', 'Treffer'),
  pick: 'Wählen Sie links etwas, um es zu lesen.',
  noSkills: 'Keine Fähigkeit ist installiert.',
  deleteTitle: 'Diese Notiz löschen',
  deleteBody: (title) => `„${title}“ wird endgültig gelöscht.`,
  delete: 'Notiz löschen',
  sources: {
    note: 'Notiz',
    file: 'Datei',
    execution: 'Ausführung',
    session: 'Sitzung',
    skill: 'Fähigkeit'
  },
  origins: { shipped: 'von Nomos mitgebracht', operator: 'Ihre' },
  waits: 'Noch nicht erlaubt',
  allowed: 'Der Agent darf diese Fähigkeit so lesen, wie sie hier steht.',
  waitsWhy: {
    new: 'Der Agent liest diese Fähigkeit erst, wenn Sie es erlauben. Lesen Sie sie vorher: Er wird sich daran halten.',
    changed:
      'Diese Fähigkeit wurde geändert, seit Sie sie erlaubt haben. Lesen Sie sie noch einmal; bis dahin kommt der Agent ohne sie aus.'
  },
  refused: 'Nicht verwendbar',
  refusedWhy: {
    folder_name:
      'Der Ordner hat keinen Namen, den eine Fähigkeit haben kann: Kleinbuchstaben, Ziffern und einzelne Bindestriche, höchstens 64. Benennen Sie ihn um, und den Namen in SKILL.md gleich mit.',
    folder_link:
      'Der Ordner ist eine Verknüpfung, und solchen wird nicht gefolgt. Kopieren Sie den Ordner selbst hierher.',
    no_file: 'Darin liegt keine SKILL.md. Schreiben Sie eine, oder legen Sie den Ordner woandershin.',
    file_link:
      'SKILL.md ist eine Verknüpfung oder keine gewöhnliche Datei, und Verknüpfungen wird nicht gefolgt. Kopieren Sie die Datei selbst hierher.',
    too_large:
      'SKILL.md ist größer als 256 KB. Kürzen Sie sie; was nur nachgeschlagen wird, kann in Notizen stehen.',
    no_front_matter:
      'SKILL.md beginnt nicht mit einem Vorspann: eine Zeile ---, Name (name) und Beschreibung (description), eine Zeile ---.',
    front_matter_too_long: 'Der Vorspann ist länger als 8 KB. Was lang ist, gehört darunter.',
    front_matter_unreadable:
      'Der Vorspann ist kein lesbares YAML. Setzen Sie Texte mit Doppelpunkt in Anführungszeichen; Verweise (Aliase) werden nicht angenommen.',
    no_name_or_description:
      'Der Vorspann braucht name und description, beide als Text, die Beschreibung mit höchstens 1.024 Zeichen.',
    other_name: 'Der Name im Vorspann ist nicht der des Ordners. Gleichen Sie die beiden an.',
    unreadable: 'SKILL.md lässt sich nicht lesen. Prüfen Sie die Rechte der Datei.'
  },
  refusedNote: 'Bis dahin kommt der Agent ohne sie aus.',
  allow: 'So erlauben',
  forbid: 'Nicht mehr',
  unsaved: 'Noch nicht gespeichert'
}
