import type { Catalogue } from '../catalogue'
import type { Facts } from '../facts'
import { gib, moment } from './numbers'

const full = (f: Facts) => `ist zu ${f.text('percent')} % voll`
const free = (f: Facts) => `${gib(f.number('free'))} von ${gib(f.number('total'))} sind frei.`

/** "auf strong", "in caddy (101)". */
const place = (f: Facts) => `${f.is('on', 'host') ? 'auf' : 'in'} ${f.text('name')}`

function updates(f: Facts): string {
  const all = f.number('updates')
  const security = f.number('security')
  const kind = security === all ? 'Sicherheitsaktualisierung' : 'Aktualisierung'
  const some = security > 0 && security < all ? `, ${security} davon für die Sicherheit` : ''
  return `${all} ${kind}${all === 1 ? ' ist' : 'en sind'} ${place(f)} offen${some}`
}

function unreachable(f: Facts) {
  if (!f.keys().includes('blocked')) return null
  const seen = f.has('seenAt')
    ? `Zuletzt gesehen am ${moment(f.number('seenAt'))}.`
    : 'Er wurde nie erreicht.'
  return {
    title: f.is('blocked')
      ? `${f.text('host')} ist gesperrt: Sein Host-Schlüssel hat sich geändert`
      : `${f.text('host')} ist nicht erreichbar`,
    detail: [f.cause('error'), seen].filter((part) => part !== '').join(' ')
  }
}

/** Conditions on the fleet; a row that an earlier version wrote without facts stays as it is. */
export const signals: Catalogue['signals'] = {
  host_unreachable: unreachable,
  guest_stopped: (f) =>
    !f.has('guest')
      ? null
      : {
          title: `${f.text('guest')} auf ${f.text('node')} ist gestoppt`,
          detail: 'Er soll mit dem Host starten und wurde nicht von hier gestoppt.'
        },
  unit_failed: (f) => {
    if (!f.has('name')) return null
    const more = f.number('more')
    if (more > 0)
      return {
        title: `${more} ${more === 1 ? 'weiterer Dienst' : 'weitere Dienste'} ${place(f)} ${more === 1 ? 'ist' : 'sind'} fehlgeschlagen`,
        detail: 'systemctl list-units --state=failed nennt sie alle.'
      }
    return {
      title: `${f.text('unit')} ${place(f)} ist fehlgeschlagen`,
      detail: `systemd hat ihn aufgegeben${f.has('description') ? `: ${f.text('description')}` : ''}.`
    }
  },
  storage_full: (f) =>
    !f.has('storage')
      ? null
      : {
          title: `Speicher ${f.text('storage')}${f.has('node') ? ` von ${f.text('node')}` : ''} ${full(f)}`,
          detail: free(f)
        },
  disk_full: (f) =>
    !f.has('guest') ? null : { title: `Die Systemplatte von ${f.text('guest')} ${full(f)}`, detail: free(f) },
  backup_stale: (f) =>
    !f.has('guest')
      ? null
      : {
          title: `Die neueste Sicherung von ${f.text('guest')} ist ${f.text('days')} Tage alt`,
          detail: 'Sehen Sie sich die Sicherungsaufträge des Clusters und deren letzte Läufe an.'
        },
  reboot_needed: (f) =>
    !f.has('host')
      ? null
      : {
          title: `${f.text('host')} braucht einen Neustart`,
          detail: f.has('kernel')
            ? `Kernel ${f.text('kernel')} ist installiert, läuft aber nicht.`
            : 'Erst danach wirken die eingespielten Aktualisierungen.'
        },
  updates_waiting: (f) => {
    if (!f.has('updates')) return null
    const packages = f.list('packages')
    const more = f.number('updates') > packages.length ? ', …' : ''
    return { title: updates(f), detail: `${packages.join(', ')}${more}` }
  }
}
