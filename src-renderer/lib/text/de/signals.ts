import type { Catalogue } from '../index'
import { count } from '../count'

export const signals: Catalogue['signals'] = {
  title: 'Braucht Aufmerksamkeit',
  well: 'Nichts in der Flotte braucht Aufmerksamkeit.',
  fresh: (n) => `${count(n, 'Sache braucht', 'Sachen brauchen')} Aufmerksamkeit`,
  over: 'vorbei',
  calm: (n) => `${n} ${n === 1 ? 'Sache kann' : 'Sachen können'} warten oder wurden gesehen`,
  level: { critical: 'ausgefallen', warning: 'bald', info: 'kann warten' },
  new: 'gerade eben',
  since: (time) => `seit ${time}`,
  times: (n) => `${n}-mal`,
  acknowledge: 'Gesehen: nicht mehr darauf hinweisen',
  unacknowledge: 'Doch nicht gesehen: wieder darauf hinweisen',
  ask: 'Nomos dazu fragen',
  question: (title) => `${title}. Finde heraus, warum, und sag, was zu tun ist.`,
  mend: 'Beheben',
  act: {
    pct_start: 'Starten',
    vm_start: 'Starten',
    systemctl: 'Neu starten',
    apt_upgrade: 'Aktualisieren'
  }
}
