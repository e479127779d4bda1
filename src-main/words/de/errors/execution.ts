import type { Catalogue } from '../../catalogue'
import type { Facts } from '../../facts'
import { gib } from '../numbers'

const guest = (f: Facts) => f.text('guest', 'Der Gast')
const nothingRan = 'Es wurde nichts ausgeführt.'
const askAgain = 'Fordern Sie es noch einmal an.'
const anotherName = 'Nehmen Sie einen anderen Namen.'

/** What a host printed last, in its own words. */
const printed = (f: Facts) => (f.has('line') ? ` (${f.text('line')})` : '')
const choice = (what: string, f: Facts, key: string, otherwise = '') =>
  f.list(key).length > 0 ? `${what}: ${f.list(key).join(', ')}.` : otherwise

/** A sentence about what a host has refused, with its own words, and what to do then. */
const refused = (message: string, hint: string) => (f: Facts) => ({
  message: `${message}${printed(f)}.`,
  hint
})

/** Requests, approvals, plans, and executions that ended badly. */
export const executionErrors: Catalogue['errors'] = {
  action_unknown: (f) => ({
    message: f.has('action')
      ? `Eine Aktion „${f.text('action')}“ gibt es nicht.`
      : 'Diese Aktion gibt es nicht.',
    hint: choice('Meinten Sie', f, 'near')
  }),
  params_invalid: (f) => {
    const issues = f.each('issues').map((issue) => {
      const field = issue.text('field')
      const expected = issue.text('expected')
      return `${field}${field === '' ? '' : ': '}${expected === '' ? 'die Angabe passt nicht' : expected}`
    })
    const what = f.has('case') ? paramCases[f.text('case')] : undefined
    return {
      message:
        what ??
        (issues.length > 0 ? `Die Angaben passen nicht: ${issues.join('; ')}.` : 'Die Angaben passen nicht.'),
      hint: 'Berichtigen Sie die Angaben und fordern Sie es noch einmal an.'
    }
  },
  target_invalid: (f) => ({
    message: f.has('target') ? `„${f.text('target')}“ ist dafür kein Ziel.` : 'Das ist dafür kein Ziel.',
    hint: 'Schreiben Sie lxc:NAME, vm:NAME oder host:NAME.'
  }),
  target_not_found: (f) => ({
    message: f.has('target') ? `${f.text('target')} gibt es nicht.` : 'Das Ziel gibt es nicht.',
    hint: choice('Meinten Sie', f, 'near', 'Sehen Sie auf der Seite Flotte nach, was es gibt.')
  }),
  target_ambiguous: (f) => ({
    message: f.has('target')
      ? `Mit ${f.text('target')} kann Verschiedenes gemeint sein.`
      : 'Damit kann Verschiedenes gemeint sein.',
    hint: choice('Nennen Sie eines davon', f, 'candidates', 'Schreiben Sie den Knoten dazu: lxc:NAME@KNOTEN.')
  }),
  hostname_invalid: (f) => ({
    message: f.has('line')
      ? `Der Hostname ist nicht gültig${printed(f)}.`
      : 'Der Name ist kein gültiger Hostname.',
    hint: 'Nur Buchstaben, Ziffern und Bindestriche, kein Unterstrich, höchstens 63 Zeichen.'
  }),
  name_taken: (f) => ({
    message: f.has('name')
      ? `Einen Gast namens ${f.text('name')} gibt es schon: ${f.text('vmid')}.`
      : 'Einen Gast dieses Namens gibt es schon.',
    hint: anotherName
  }),
  vmid_taken: (f) => ({
    message: f.is('none')
      ? 'Es ist keine VMID mehr frei.'
      : f.has('vmid')
        ? `Die VMID ${f.text('vmid')} ist vergeben.`
        : `Die VMID ist vergeben${printed(f)}.`,
    ...(!f.is('none') && { hint: 'Lassen Sie die VMID weg: Dann wird die nächste freie genommen.' })
  }),
  storage_unusable: (f) => ({
    message: f.has('storage')
      ? `Der Speicher ${f.text('storage')} ist dafür nicht zu gebrauchen.`
      : f.has('node')
        ? `Auf ${f.text('node')} gibt es dafür keinen Speicher.`
        : `Der Speicher ist dafür nicht zu gebrauchen${printed(f)}.`,
    hint: choice(
      'Geeignet sind',
      f,
      'storages',
      'Nehmen Sie einen, der diesen Inhalt auf diesem Knoten fasst.'
    )
  }),
  no_space: (f) => ({
    message: f.has('storage')
      ? `Auf dem Speicher ${f.text('storage')} von ${f.text('node')} sind ${gib(f.number('free'))} frei; ${f.text('neededGiB')} GiB werden gebraucht.`
      : `Es ist kein Platz mehr${printed(f)}.`,
    hint: 'Schaffen Sie Platz, oder nehmen Sie einen anderen Speicher.'
  }),
  template_not_found: (f) => ({
    message: f.has('template')
      ? `Die Vorlage ${f.text('template')} gibt es nicht, und sie wird auch nicht zum Laden angeboten.`
      : f.has('node')
        ? `Auf ${f.text('node')} gibt es keine Debian-Vorlage, und es wird auch keine zum Laden angeboten.`
        : `Die Vorlage ist nicht da${printed(f)}.`,
    hint: choice(
      'Vorlagen',
      f,
      'templates',
      'Führen Sie auf dem Host pveam update aus und versuchen Sie es noch einmal.'
    )
  }),
  mount_source_missing: (f) => ({
    message: f.has('source')
      ? `Den Ordner ${f.text('source')} gibt es auf ${f.text('host')} nicht.`
      : 'Einen Ordner, der eingebunden werden soll, gibt es nicht.',
    hint: 'Legen Sie ihn erst an, oder lassen Sie das Einbinden weg.'
  }),
  guest_gone: (f) => ({
    message: `${guest(f)} ist auf diesem Knoten nicht da${printed(f)}.`,
    hint: 'Er wurde vielleicht verschoben oder vernichtet: Sehen Sie auf der Seite Flotte nach.'
  }),
  guest_locked: (f) => ({
    message: f.has('lock')
      ? `${guest(f)} ist gesperrt (${f.text('lock')}): Eine andere Aufgabe arbeitet an ihm.`
      : `${guest(f)} ist durch eine andere Aufgabe gesperrt${printed(f)}.`,
    hint: 'Warten Sie, bis die Sperre weg ist, und versuchen Sie es dann noch einmal. Sehen Sie unter Aufgaben nach, was läuft.'
  }),
  guest_busy: refused(
    'Ein anderer Befehl arbeitet gerade an dem Gast',
    'Warten Sie eine halbe Minute und versuchen Sie es noch einmal.'
  ),
  guest_stopped: (f) => ({
    message: `${guest(f)} läuft nicht${printed(f)}.`,
    hint: 'Starten Sie ihn zuerst.'
  }),
  guest_running: (f) => ({
    message: f.is('for', 'clone')
      ? `${guest(f)} läuft: Für eine volle Kopie muss er gestoppt sein, oder einer seiner Snapshots wird kopiert.`
      : f.has('guest')
        ? `${guest(f)} ist nicht gestoppt: Nur ein gestoppter Container wird vernichtet.`
        : `Der Gast läuft und wurde deshalb nicht vernichtet${printed(f)}.`,
    hint: 'Fahren Sie ihn zuerst herunter.'
  }),
  guest_protected: (f) => ({
    message: `${guest(f)} ist davor geschützt, vernichtet zu werden${printed(f)}.`,
    hint: 'Jemand hat das absichtlich so eingestellt. Wenn er wirklich weg soll, heben Sie erst den Schutz auf; das fragt einzeln.'
  }),
  guest_in_ha: refused(
    'Der Gast wird von der Hochverfügbarkeit verwaltet',
    'Nehmen Sie ihn zuerst aus deren Ressourcen.'
  ),
  guest_is_template: (f) => ({
    message: `${guest(f)} ist eine Vorlage${printed(f)}.`,
    hint: 'Klonen Sie sie und verwenden Sie den Klon.'
  }),
  disk_not_found: (f) => ({
    message: `${guest(f)} hat keine Platte ${f.text('disk')}.`.replace(' .', '.'),
    hint: 'Seine Konfiguration steht auf seiner Seite.'
  }),
  file_exists: (f) => ({
    message: f.has('file')
      ? `${f.text('file')} gibt es schon und würde ersetzt.`
      : 'Die Datei gibt es schon und würde ersetzt.',
    hint: 'Nehmen Sie einen anderen Ort.'
  }),
  file_not_found: (f) => ({
    message: f.has('file') ? `Eine Datei ${f.text('file')} gibt es dort nicht.` : 'Die Datei gibt es nicht.',
    hint: 'Prüfen Sie den Pfad.'
  }),
  no_apt: (f) => ({
    message: `${guest(f)} hat kein apt-get: Er ist kein Debian.`,
    hint: 'Führen Sie in ihm seine eigene Paketverwaltung aus.'
  }),
  snapshot_not_possible: (f) => ({
    message: f.has('guest')
      ? `Von ${guest(f)} ist kein Snapshot möglich: Er hat eingebundene Ordner des Hosts (${f.list('mounts').join(', ')}).`
      : `Von diesem Gast ist kein Snapshot möglich${printed(f)}.`,
    hint: 'Machen Sie stattdessen eine Sicherung mit vzdump.'
  }),
  snapshot_not_found: (f) => ({
    message: f.has('snapshot')
      ? `${guest(f)} hat keinen Snapshot ${f.text('snapshot')}.`
      : `Diesen Snapshot gibt es nicht${printed(f)}.`,
    hint: choice('Vorhanden', f, 'snapshots', 'Seine Snapshots stehen auf seiner Seite.')
  }),
  snapshot_exists: (f) => ({
    message: f.has('snapshot')
      ? `${guest(f)} hat schon einen Snapshot ${f.text('snapshot')}.`
      : `Einen Snapshot dieses Namens gibt es schon${printed(f)}.`,
    hint: anotherName
  }),
  snapshot_not_newest: refused(
    'ZFS geht nur auf den neuesten Snapshot zurück',
    'Löschen Sie die neueren zuerst, jeden mit eigener Zustimmung.'
  ),
  snapshots_unreadable: (f) => ({
    message: `Die Snapshots ${f.has('guest') ? `von ${guest(f)} ` : ''}lassen sich nicht auflisten${printed(f)}.`
  }),
  command_refused: (f) => ({
    message: f.said('reason') || 'Dieser Befehl wird nie ausgeführt.',
    hint: 'Gehen Sie anders vor, Schritt für Schritt.'
  }),
  policy_denied: (f) => ({
    message: `Nicht erlaubt. ${f.said('rule')} ${nothingRan}`.replace('  ', ' '),
    hint: 'Die Regel lässt sich in den Einstellungen ändern.'
  }),

  approval_not_found: () => ({ message: 'Diese Zustimmung gibt es nicht.' }),
  approval_decided: (f) => ({
    message: f.is('state', 'denied')
      ? 'Das wurde schon abgelehnt.'
      : f.is('state', 'expired')
        ? 'Das ist schon verfallen.'
        : 'Dem wurde schon zugestimmt.'
  }),
  approval_expired: () => ({ message: `Die Zustimmung ist verfallen. ${nothingRan}`, hint: askAgain }),
  approval_changed: () => ({
    message: `Was gezeigt wurde, ist nicht mehr, was liefe: Der Host, sein Schlüssel oder sein Benutzer hat sich geändert. ${nothingRan}`,
    hint: askAgain
  }),
  approval_missing: () => ({ message: `Es fehlt eine Zustimmung, die gilt. ${nothingRan}` }),
  facts_changed: () => ({
    message: `Die Lage ist nicht mehr die, der zugestimmt wurde: Es wären andere Befehle oder ein anderer Gast. ${nothingRan}`,
    hint: 'Sehen Sie noch einmal nach und fordern Sie es neu an.'
  }),
  confirm_name_wrong: (f) => ({
    message: `Geben Sie ${f.text('expected', 'den Namen')} ein, um dem zuzustimmen; es lässt sich nicht umkehren.`
  }),
  assent_ambiguous: () => ({
    message: 'Es wartet auch etwas, das sich nicht umkehren lässt; dem kann man nicht mit Worten zustimmen.',
    hint: 'Entscheiden Sie auf den Karten.'
  }),
  assent_not_enough: () => ({
    message: 'Was sich nicht umkehren lässt, genehmigen Sie nur auf seiner Karte.'
  }),
  allowance_not_found: () => ({ message: 'Das ist nicht mehr im Voraus erlaubt.' }),
  window_not_found: () => ({ message: 'Dieses Zustimmungsfenster gibt es nicht.' }),
  execution_not_found: () => ({ message: 'Diese Ausführung gibt es nicht.' }),
  record_damaged: () => ({
    message: 'Die Aufzeichnung davon ist beschädigt. Es wurde nichts davon ausgeführt.',
    hint: 'Fordern Sie es noch einmal an und prüfen Sie die Platte, auf der die Daten von Nomos liegen.'
  }),

  plan_not_found: () => ({ message: 'Diesen Plan gibt es nicht.' }),
  plan_invalid: () => ({ message: 'Der Plan hat keine Schritte oder zu viele.' }),
  plan_not_approved: () => ({ message: 'Dem Plan ist nicht zugestimmt.' }),
  plan_step_unknown: () => ({ message: 'Diesen Schritt hat der Plan nicht.' }),
  plan_step_done: () => ({ message: 'Dieser Schritt ist schon erledigt.' }),
  plan_step_early: () => ({ message: 'Ein früherer Schritt des Plans ist noch nicht erledigt.' }),
  plan_stopped: () => ({ message: 'Der Plan endete, als einer seiner Schritte abgelehnt wurde.' }),
  plan_lapsed: () => ({
    message: 'Dem Plan wurde vor zu langer Zeit zugestimmt; seitdem lief nichts davon.'
  }),
  session_needed: () => ({ message: 'Ein Plan gehört zu einem Gespräch in Nomos.' }),

  start_timed_out: (f) => ({
    message: `${f.text('host', 'Der Host')} war in der erlaubten Zeit nicht zu erreichen. ${nothingRan}`,
    hint: 'Prüfen Sie die Verbindung zum Host und fordern Sie es noch einmal an.'
  }),
  timed_out: (f) => ({
    message: f.has('seconds')
      ? `Es lief länger als die erlaubten ${f.text('seconds')} Sekunden und wurde beendet.`
      : 'Es lief länger als erlaubt und wurde beendet.',
    hint: 'Sehen Sie nach, was es getan hat, bevor Sie es noch einmal ausführen.'
  }),
  host_restarted: (f) => ({
    message: `${f.text('host', 'Der Host')} wurde neu gestartet, während dies lief.`,
    hint: 'Sehen Sie sich den Zustand des Ziels an, bevor Sie es noch einmal ausführen.'
  }),
  job_lost: () => ({
    message: 'Es endete ohne Ergebnis: Es wurde abgeschossen, oder dem Host ging der Arbeitsspeicher aus.',
    hint: 'Sehen Sie sich das Ziel und das Journal des Hosts an, bevor Sie es noch einmal ausführen.'
  }),
  job_vanished: (f) => ({
    message: `Die Aufzeichnung dieses Auftrags ist von ${f.text('host', 'dem Host')} verschwunden: Wie er endete, ist nicht bekannt.`,
    hint: 'Sehen Sie sich den Zustand des Ziels an, bevor Sie es noch einmal ausführen.'
  }),
  job_refused: (f) => ({
    message: `${f.text('host', 'Der Host')} konnte den Auftrag nicht annehmen${printed(f)}.`,
    hint: 'Prüfen Sie freien Platz und Rechte des Ordners nomos/jobs auf dem Host.'
  }),
  job_answer_unreadable: (f) => ({
    message: `${f.text('host', 'Der Host')} gab eine Antwort, die keine ist.`
  }),
  cancel_failed: (f) => ({
    message: 'Einige Prozesse ließen sich nicht beenden.',
    hint: `Sehen Sie auf ${f.text('host', 'dem Host')} nach ihnen.`
  }),
  verification_failed: (f) => ({
    message: `Die Befehle endeten ohne Fehler, aber was sie bewirken sollten, ist nicht so. ${
      f.said('proof') || (f.has('cause') ? `Es ließ sich nicht zurücklesen: ${f.cause('cause')}` : '')
    }`.trim(),
    hint: 'Sehen Sie sich Zustand und Ausgabe an und entscheiden Sie dann.'
  }),
  internal: () => ({ message: 'In Nomos selbst ist etwas schiefgegangen.' }),

  no_quorum: refused(
    'Der Cluster hat kein Quorum und nimmt keine Änderungen an',
    'Bringen Sie die fehlenden Knoten zurück; erzwingen Sie das Quorum nicht leichtfertig.'
  ),
  start_failed: (f) => ({
    message: f.has('line') ? `Der Container ist nicht gestartet${printed(f)}.` : 'Der Start ist misslungen.',
    hint: 'Lesen Sie auf dem Host journalctl -u pve-container@VMID; oft fehlt ein eingebundener Ordner oder ein Merkmal geht nicht.'
  }),
  did_not_stop: refused(
    'Der Container ist nicht rechtzeitig angehalten',
    'Geben Sie ihm mehr Zeit; sofortiges Stoppen fragt einzeln.'
  ),
  resize_refused: refused(
    'Die Platte lässt sich nicht so groß machen',
    'Platten wachsen nur: Geben Sie eine größere Größe an.'
  ),
  ssh_key_invalid: refused(
    'Einer der SSH-Schlüssel ist nicht gültig',
    'Je Eintrag ein öffentlicher OpenSSH-Schlüssel.'
  ),
  bridge_not_found: refused(
    'Die Netzwerkbrücke gibt es auf diesem Knoten nicht',
    'Nehmen Sie eine der Brücken des Knotens, meist vmbr0.'
  ),
  apt_locked: refused(
    'Ein anderes Programm hält die Sperre der Paketverwaltung',
    'Nach einem Start dauert das ein, zwei Minuten. Fordern Sie es dann noch einmal an.'
  ),
  dpkg_interrupted: refused(
    'Eine frühere Installation wurde unterbrochen',
    'Führen Sie dort zuerst dpkg --configure -a aus.'
  ),
  package_not_found: refused(
    'Dieses Paket gibt es nicht',
    'Lesen Sie die Paketlisten neu und prüfen Sie den Namen.'
  ),
  no_network: refused(
    'Von dort führt kein Weg ins Netz oder zu dessen Namen',
    'Prüfen Sie Adresse, Gateway und Namensserver des Gastes.'
  ),
  unit_not_found: refused('Diese Unit gibt es nicht', 'Welche es gibt, steht unter Dienste.'),
  unit_failed: refused('Die Unit ist fehlgeschlagen', 'Lesen Sie ihr Protokoll.'),
  sudo_password: refused(
    'sudo verlangt auf diesem Host ein Passwort',
    'Erlauben Sie dem Benutzer diese Befehle ohne Passwort in /etc/sudoers.d, oder melden Sie sich als root an.'
  ),
  permission_denied: refused(
    'Der Benutzer darf das nicht',
    'Prüfen Sie die Rechte des Benutzers, mit dem der Host eingerichtet ist.'
  ),
  parameter_refused: refused(
    'Proxmox lehnt eine Angabe ab',
    'Die Zeilen nach „Parameter verification failed“ nennen sie.'
  ),
  command_not_found: refused(
    'Den Befehl gibt es dort nicht',
    'Prüfen Sie, ob dies ein Proxmox-VE-Knoten ist oder das Programm im Gast installiert ist.'
  ),
  command_failed: (f) => ({
    message: `Der Befehl endete mit Exit-Code ${f.text('exitCode', 'ungleich 0')}. ${f.has('line') ? `Zuletzt gab er aus: ${f.text('line')}` : 'Er gab nichts aus.'}`,
    hint: 'Lesen Sie die Ausgabe und entscheiden Sie, was zu ändern ist, bevor Sie ihn noch einmal ausführen.'
  })
}

const paramCases: Readonly<Record<string, string>> = {
  linked_storage: 'Ein verknüpfter Klon bleibt auf dem Speicher seiner Vorlage.',
  service_needed: 'Auf einem Host lässt sich nur ein Dienst neu starten: Welcher?',
  service_in_vm: 'Dienste in einer VM lassen sich von hier nicht neu starten.',
  control_character: 'Der Befehl enthielte ein Steuerzeichen. Was gezeigt wird, muss sein, was läuft.'
}
