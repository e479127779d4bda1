import type { Catalogue } from '../../catalogue'
import type { Facts } from '../../facts'

const host = (f: Facts) => f.text('host', 'Der Host')
const guest = (f: Facts) => f.text('guest', 'Der Gast')
const nothingChanged = 'Es wurde nichts geändert.'
const why = (f: Facts) => (f.has('why') ? `: ${f.text('why')}` : '')
const lookFirst = 'Sehen Sie auf dem Host nach, bevor Sie es noch einmal ausführen.'

/** Hosts, their keys and connections, and what is read of them and their guests. */
export const fleetErrors: Catalogue['errors'] = {
  host_unknown: (f) => ({
    message: f.is('none')
      ? 'Es ist noch kein Host eingerichtet.'
      : f.has('node')
        ? `${guest(f)} liegt auf dem Knoten ${f.text('node')}, für den kein Host eingerichtet ist.`
        : f.has('host')
          ? `Einen Host ${f.text('host')} gibt es hier nicht.`
          : 'Diesen Host gibt es hier nicht.',
    hint: 'Fügen Sie ihn auf der Seite Flotte hinzu.'
  }),
  host_unreachable: (f) => ({
    message: f.has('jump')
      ? `${host(f)} liegt hinter ${f.text('jump')}, das nicht zu gebrauchen ist. ${f.cause('because')}`.trim()
      : f.is('lost')
        ? `Die Verbindung zu ${f.text('host', 'dem Host')} ist abgebrochen${why(f)}.`
        : f.has('address')
          ? `${host(f)} (${f.text('address')}:${f.text('port')}) ist nicht erreichbar${why(f)}.`
          : `${host(f)} ist nicht erreichbar.`,
    hint: f.is('lost')
      ? 'Sie wird wieder aufgebaut.'
      : 'Prüfen Sie, ob er läuft und ob Adresse und Port stimmen; versuchen Sie es dann noch einmal.'
  }),
  connection_lost: (f) => ({
    message: `Die Verbindung zu ${f.text('host', 'dem Host')} brach ab, während der Befehl lief${why(f)}. Ob er gewirkt hat, ist nicht bekannt.`,
    hint: lookFirst
  }),
  auth_failed: (f) => ({
    message: `${host(f)} lässt ${f.text('user', 'den Benutzer')} nicht herein${why(f)}.`,
    hint: f.has('publicKey')
      ? `Fügen Sie diese Zeile in ~/.ssh/authorized_keys von ${f.text('user', 'diesem Benutzer')} auf dem Host ein und testen Sie ihn dann: ${f.text('publicKey')}`
      : 'Prüfen Sie den Benutzer und die Schlüssel im SSH-Agenten und testen Sie den Host in den Einstellungen.'
  }),
  host_key_unknown: (f) => ({
    message: `${host(f)} zeigt einen Host-Schlüssel, der noch nicht anerkannt ist (${f.text('type')}, ${f.text('fingerprint')}). Es wurde nichts gesendet.`,
    hint: 'Vergleichen Sie ihn an der Konsole des Hosts (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub) und erkennen Sie ihn dann an.'
  }),
  host_key_changed: (f) => ({
    message: `Der Host-Schlüssel von ${f.text('host', 'diesem Host')} hat sich geändert: erwartet ${f.text('expected')}, erhalten ${f.text('fingerprint')} (${f.text('type')}). Vielleicht antwortet ein anderer Rechner. Es wurde nichts gesendet; der Host ist gesperrt.`,
    hint: 'Wurde der Rechner neu aufgesetzt, vergleichen Sie den Schlüssel an seiner Konsole und ersetzen Sie ihn in den Einstellungen.'
  }),
  host_key_pinned: (f) => ({
    message: `Die Konfiguration schreibt für ${f.text('host', 'diesen Host')} einen anderen Schlüssel fest. Es wurde nichts anerkannt.`,
    hint: 'Ändern oder entfernen Sie „hostKey“ des Hosts in der Konfiguration.'
  }),
  host_key_not_offered: (f) => ({
    message: `${host(f)} hat diesen Schlüssel nicht gezeigt. Es wurde nichts anerkannt.`,
    hint: 'Testen Sie den Host noch einmal und vergleichen Sie den Schlüssel, den er jetzt zeigt.'
  }),
  host_key_not_trusted: (f) => ({
    message: `Von ${f.text('host', 'diesem Host')} ist hier kein Schlüssel anerkannt. ${nothingChanged}`
  }),
  host_exists: (f) => ({
    message: `Einen Host ${f.has('host') ? `namens ${f.text('host')}` : 'dieses Namens'} gibt es schon. ${nothingChanged}`,
    hint: 'Wählen Sie einen anderen Namen.'
  }),
  host_in_use: (f) => ({
    message: `${f.list('behind').join(', ') || 'Andere Hosts'} sind nur über ${f.text('host', 'diesen Host')} zu erreichen. ${nothingChanged}`,
    hint: 'Entfernen oder ändern Sie zuerst jene.'
  }),
  known_hosts_unreadable: (f) => ({
    message: f.is('absent')
      ? `Eine Datei ${f.text('path')} gibt es nicht.`
      : 'Die Datei known_hosts lässt sich nicht lesen.',
    hint: 'Fügen Sie ihre Zeilen ein, oder erkennen Sie jeden Host auf seiner Karte an.'
  }),
  key_unreadable: (f) => ({
    message: keyFaults[f.text('reason')] ?? 'Der Schlüssel lässt sich nicht lesen.',
    hint: 'Berichtigen Sie den Pfad, fügen Sie den Schlüssel ein, oder erzeugen Sie einen neuen.'
  }),
  key_name_taken: (f) => ({
    message: `Ein Geheimnis ${f.has('name') ? `namens „${f.text('name')}“` : 'dieses Namens'} gibt es schon. ${nothingChanged}`,
    hint: 'Wählen Sie einen anderen Namen, oder löschen Sie es zuerst.'
  }),
  sudo_needs_password: (f) => ({
    message: `sudo verlangt auf ${f.text('host', 'dem Host')} ein Passwort. Es wurde nichts ausgeführt.`,
    hint: `Erlauben Sie es ohne: echo '${f.text('user', 'BENUTZER')} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/nomos, oder melden Sie sich als root an.`
  }),
  shell_unusable: (f) => ({
    message: `Die Anmelde-Shell auf ${f.text('host', 'dem Host')} endet, bevor sie Befehle ausführt.`,
    hint: 'Suchen Sie in ihren Startdateien (.bashrc, .profile) nach „exit“ oder „exec“ und beschränken Sie es auf interaktive Shells.'
  }),
  channel_refused: (f) => ({
    message: `${host(f)} hat den Befehl nicht gestartet.`,
    hint: 'Versuchen Sie es gleich noch einmal.'
  }),
  command_invalid: () => ({ message: 'Der Befehl lässt sich so nicht ausführen.' }),
  exec_timeout: (f) => ({
    message: `Der Befehl ${f.has('host') ? `auf ${f.text('host')} ` : ''}brauchte zu lange und wurde aufgegeben. Er läuft dort vielleicht noch.`,
    hint: lookFirst
  }),
  output_refused: () => ({ message: 'Die Ausgabe ließ sich nicht aufnehmen.' }),
  aborted: () => ({
    message: 'Es wurde auf Wunsch abgebrochen. Was schon begonnen war, hat vielleicht gewirkt.'
  }),
  not_proxmox: (f) => ({
    message: f.has('user')
      ? `${f.text('user')} kann sich anmelden, aber pveversion antwortet dort nicht.`
      : `${host(f)} antwortet über SSH, ist aber kein Proxmox-VE-Knoten.`,
    hint: 'Prüfen Sie die Adresse. Ein anderer Benutzer als root braucht sudo.'
  }),
  pvesh_failed: (f) => ({
    message: `${host(f)} hat auf eine Frage von Proxmox keine brauchbare Antwort gegeben${why(f)}.`,
    hint: 'Prüfen Sie „pvesh get /cluster/status“ auf dem Host.'
  }),
  read_failed: (f) => ({ message: `Das Lesen ist misslungen${why(f)}.` }),
  command_killed: () => ({ message: 'Der Befehl wurde durch ein Signal beendet.' }),
  command_missing: (f) => ({
    message: f.has('command')
      ? `Das Programm ${f.text('command')} gibt es dort nicht.`
      : 'Dieses Programm gibt es dort nicht.'
  }),
  guest_not_running: (f) => ({
    message: `${guest(f)} läuft nicht: In ihm lässt sich nichts lesen.`,
    hint: 'Starten Sie ihn zuerst, wenn das gewünscht ist.'
  }),
  guest_agent_missing: (f) => ({
    message: `Der QEMU-Gastagent von ${f.text('guest', 'dieser VM')} antwortet nicht: In ihr lässt sich nichts lesen.`,
    hint: 'Installieren und starten Sie in ihr qemu-guest-agent und schalten Sie ihn in ihren Optionen ein.'
  }),
  guest_exec_failed: (f) => ({ message: `In der VM ließ sich der Befehl nicht ausführen${why(f)}.` }),
  service_not_found: () => ({
    message: 'Diesen Dienst gibt es dort nicht.',
    hint: 'Welche es gibt, steht unter Dienste.'
  }),
  signal_not_found: () => ({ message: 'Dieses Signal gibt es nicht.' }),
  signal_resolved: () => ({ message: 'Das ist schon vorbei.' })
}

const keyFaults: Readonly<Record<string, string>> = {
  no_agent:
    'Der Host meldet sich mit dem SSH-Agenten an, und es läuft keiner (SSH_AUTH_SOCK ist nicht gesetzt).',
  file: 'Die Schlüsseldatei lässt sich nicht lesen.',
  passphrase_missing: 'Der Schlüssel braucht seine Passphrase.',
  passphrase_wrong: 'Die Passphrase passt nicht zu diesem Schlüssel.',
  public: 'Das ist ein öffentlicher Schlüssel; gebraucht wird der private.'
}
