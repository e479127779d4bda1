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
  allow: 'So erlauben',
  forbid: 'Nicht mehr',
  unsaved: 'Noch nicht gespeichert'
}
