import type { Catalogue } from '../index'

export const execution: Catalogue['execution'] = {
  output: 'Ausgabe',
  noOutput: 'Noch keine Ausgabe.',
  noOutputEver: 'Sie hat nichts ausgegeben.',
  earlier: (n) => `${n} frühere Zeilen`,
  loadEarlier: 'Von Anfang an zeigen',
  cancel: 'Ausführung abbrechen',
  cancelAsk: 'Jetzt abbrechen',
  rerun: 'Noch einmal ausführen',
  show: 'Ausführung zeigen',
  inChat: 'Im Chat zeigen',
  verified: 'Geprüft',
  notVerified: 'Nicht geprüft',
  exit: (code) => `Exit ${code}`,
  commands: 'Befehle',
  unknownBody: 'Der Host ist zur Zeit nicht zu fragen. Er wird weiter beobachtet; nichts läuft noch einmal.',
  waits: 'Wartet auf Ihre Entscheidung',
  queued: 'wartet',
  waitsFor: {
    target: (title) => `Wartet, bis dies vorbei ist: ${title}`,
    cluster: (title) => `Gäste entstehen einer nach dem anderen. Wartet auf: ${title}`
  },
  retryOf: 'Von selbst angefordert: die VMID des ersten Versuchs war inzwischen vergeben.'
}
