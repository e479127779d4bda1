import type { Acting, ActionWords } from '../catalogue'

const nothingToUndo = () => 'Nichts rückgängig zu machen: Es läuft danach wieder.'
const never = () => 'Lässt sich nicht rückgängig machen.'
const seconds = 'Wie lange es dauern darf, in Sekunden.'
const snapshotName =
  'Ein Buchstabe, dann Buchstaben, Ziffern, Bindestriche und Unterstriche, zusammen 2 bis 40.'

/** "in caddy (101) auf strong", "auf strong". */
const at = ({ kind, where }: Acting): string => `${kind === 'host' ? 'auf' : 'in'} ${where}`

/** A short command stands as it is, a script is told by its length and its programs. */
const command = ({ found }: Pick<Acting, 'found'>): string => {
  const lines = found.number('lines')
  const programs = found.list('programs')
  const named = programs.length === 0 ? '' : ` (${programs.join(', ')}${found.is('more') ? ' …' : ''})`
  if (lines === 0) return found.has('line') ? `„${found.text('line')}“` : 'Einen Befehl'
  return `${lines === 1 ? 'Einen langen Shell-Befehl' : `Ein Shell-Skript mit ${lines} Zeilen`}${named}`
}

const verbs: Readonly<Record<string, string>> = {
  start: 'starten',
  stop: 'anhalten',
  restart: 'neu starten',
  reload: 'neu laden',
  enable: 'aktivieren',
  disable: 'deaktivieren'
}

const unitUndo: Readonly<Record<string, (unit: string) => string>> = {
  start: (unit) => `systemctl stop ${unit} hält ihn wieder an.`,
  stop: (unit) => `systemctl start ${unit} startet ihn wieder.`,
  restart: nothingToUndo,
  reload: () => 'Nichts rückgängig zu machen; eine ältere Konfiguration ist von Hand zurückzulegen.',
  enable: (unit) => `systemctl disable ${unit} nimmt es zurück.`,
  disable: (unit) => `systemctl enable ${unit} nimmt es zurück.`
}

/** A snapshot of a VM may hold its memory: it runs on from there then. */
const rolledBack = (kind: string, { where, params, found }: Acting): string =>
  `${kind} ${where} auf ${params.text('snapshot')}${found.is('withMemory') ? ' samt Arbeitsspeicher' : ''} zurücksetzen`

/** The options that `pct set` is given, as Proxmox calls them. */
const setOptions: Readonly<Record<string, string>> = {
  memoryMiB: 'memory',
  swapMiB: 'swap',
  nesting: 'features',
  keyctl: 'features'
}
const changedOptions = ({ params }: Acting): string =>
  [...new Set(params.keys().map((key) => setOptions[key] ?? key))].join(', ')

const change = {
  cores: 'Anzahl der Kerne.',
  memoryMiB: 'Arbeitsspeicher in MiB.',
  swapMiB: 'Auslagerungsspeicher in MiB.',
  onboot: 'Ob er mit dem Host startet.',
  nesting: 'Für Docker im Inneren: nesting und keyctl.',
  keyctl: 'Erlaubt keyctl im Container.',
  tags: 'Schlagwörter: Kleinbuchstaben, Ziffern, _ + . -',
  description: 'Notizen, wie Proxmox sie zeigt.'
}

/** What the actions are called, what they do, and what is said of one of them that acts. */
export const actions: Readonly<Record<string, ActionWords>> = {
  pct_create: {
    title: 'Container anlegen',
    sentence: ({ where }) => `Container ${where} anlegen`,
    undo: ({ place }) => `pct_destroy lxc:${place.vmid} entfernt ihn wieder, mit allem darin.`,
    params: {
      ...change,
      hostname: 'Ohne Angabe: der Name im Ziel.',
      vmid: 'Ohne Angabe: die nächste freie.',
      template:
        'Volume, Dateiname oder dessen Anfang, etwa debian-12-standard. Ohne Angabe: das neueste Debian. Wird geladen, wenn sie fehlt.',
      storage: 'Für die Systemplatte. Ohne Angabe: der mit dem meisten freien Platz.',
      diskGiB: 'Größe der Systemplatte in GiB.',
      bridge: 'Netzwerkbrücke des Knotens.',
      ip: 'dhcp, oder eine Adresse mit Präfix wie 192.168.1.50/24.',
      gateway: 'IPv4-Adresse des Gateways.',
      unprivileged: 'Root im Container ist auf dem Host kein Root.',
      mounts: 'Ordner des Hosts. Mit ihnen sind keine Snapshots möglich.',
      'mounts.source': 'Ordner auf dem Host.',
      'mounts.path': 'Wo er im Container erscheint.',
      'mounts.readOnly': 'Im Container nur lesbar.',
      start: 'Danach starten.',
      sshKeys: 'Öffentliche Schlüssel für root.'
    }
  },
  pct_start: {
    title: 'Container starten',
    sentence: ({ where }) => `Container ${where} starten`,
    undo: ({ place }) => `pct_shutdown lxc:${place.vmid} fährt ihn wieder herunter.`,
    params: {}
  },
  pct_shutdown: {
    title: 'Container herunterfahren',
    sentence: ({ where, params }) =>
      `Container ${where} herunterfahren${params.is('forceStop') ? `, nach ${params.text('timeoutSeconds')} s gewaltsam` : ''}`,
    undo: ({ place }) => `pct_start lxc:${place.vmid} startet ihn wieder.`,
    params: {
      timeoutSeconds: seconds,
      forceStop: 'Ihn gewaltsam beenden, wenn die Zeit um ist. Nicht umkehrbar.'
    }
  },
  pct_reboot: {
    title: 'Container neu starten',
    sentence: ({ where }) => `Container ${where} neu starten`,
    undo: nothingToUndo,
    params: { timeoutSeconds: 'Wie lange das Herunterfahren dauern darf, in Sekunden; dann wird er beendet.' }
  },
  pct_stop: {
    title: 'Container sofort stoppen',
    sentence: ({ where }) => `Container ${where} sofort stoppen, ohne ihn herunterzufahren`,
    undo: ({ place }) =>
      `pct_start lxc:${place.vmid} startet ihn wieder; was er nicht geschrieben hatte, ist verloren.`,
    params: {}
  },
  pct_destroy: {
    title: 'Container vernichten',
    sentence: ({ where }) => `Container ${where} mit seinen Platten vernichten`,
    undo: () => 'Lässt sich nicht rückgängig machen; nur eine Sicherung bringt ihn zurück.',
    params: { purge: 'Ihn auch aus Sicherungs-, Replikations- und HA-Aufträgen nehmen.' }
  },
  pct_set: {
    title: 'Container ändern',
    sentence: (acting) =>
      acting.params.is('protection', false)
        ? `Den Schutz von Container ${acting.where} aufheben${acting.params.keys().length > 1 ? ' und seine Einstellungen ändern' : ''}`
        : `${changedOptions(acting)} von Container ${acting.where} setzen`,
    undo: ({ found }) =>
      `Zurücksetzen: ${Object.entries(found.fields('before'))
        .map(([key, value]) => `${key} ${typeof value === 'string' ? value : '(nicht gesetzt)'}`)
        .join(', ')}.`,
    params: {
      ...change,
      hostname: 'Buchstaben, Ziffern und Bindestriche.',
      protection: 'Nein hebt den Schutz auf: nicht umkehrbar.',
      nameserver: 'IPv4-Adresse des Namensservers.'
    }
  },
  pct_resize: {
    title: 'Platte vergrößern',
    sentence: ({ where, params }) =>
      `${params.text('disk')} von Container ${where} um ${params.text('addGiB')} GiB vergrößern`,
    undo: () => 'Lässt sich nicht rückgängig machen: Platten schrumpfen nie.',
    params: { disk: 'rootfs oder mp0 bis mp255.', addGiB: 'GiB, die hinzukommen. Platten wachsen nur.' }
  },
  pct_clone: {
    title: 'Container klonen',
    sentence: ({ where, params }) =>
      `Container ${where} als ${params.text('name')} (${params.text('newVmid')}) klonen`,
    undo: ({ params }) => `pct_destroy lxc:${params.text('newVmid')} entfernt den Klon wieder.`,
    params: {
      name: 'Hostname des Klons.',
      newVmid: 'Ohne Angabe: die nächste freie.',
      snapshot: 'Diesen Snapshot klonen; für die volle Kopie eines laufenden Containers nötig.',
      full: 'Eine volle Kopie; nein macht einen verknüpften Klon, nur aus einer Vorlage.',
      storage: 'Für eine volle Kopie.'
    }
  },
  pct_snapshot: {
    title: 'Snapshot machen',
    sentence: ({ where, params }) => `Snapshot ${params.text('name')} von ${where} machen`,
    undo: ({ params }) => `Den Snapshot ${params.text('name')} löschen.`,
    params: { name: snapshotName, description: change.description }
  },
  pct_rollback: {
    title: 'Container zurücksetzen',
    sentence: (acting) => rolledBack('Container', acting),
    undo: () => 'Lässt sich nicht rückgängig machen: Was seit dem Snapshot geschah, ist verloren.',
    params: { snapshot: snapshotName, start: 'Danach starten.' }
  },
  pct_delsnapshot: {
    title: 'Snapshot löschen',
    sentence: ({ where, params }) => `Snapshot ${params.text('snapshot')} von Container ${where} löschen`,
    undo: never,
    params: { snapshot: snapshotName }
  },
  pct_exec: {
    title: 'Befehl im Container ausführen',
    sentence: (acting) => `${command(acting)} in Container ${acting.where} ausführen`,
    undo: ({ found }) =>
      found.is('readsOnly')
        ? 'Nichts rückgängig zu machen: Es liest nur.'
        : 'Hängt vom Befehl ab; auf einen Snapshot davor kann man zurückgehen.',
    params: {
      command: 'Programm und Argumente, eines je Zeile; ohne Shell.',
      script: 'Oder ein Skript für sh, wenn es Pipes oder mehrere Befehle braucht.'
    }
  },
  pct_push: {
    title: 'Datei in einen Container legen',
    sentence: ({ where, params }) => `${params.text('path')} in Container ${where} schreiben`,
    undo: ({ params }) =>
      `Die Datei ${params.text('path')} wird ersetzt; was vorher dort war, ist nirgends aufgehoben.`,
    params: {
      path: 'Wohin die Datei im Container kommt; ihr Ordner muss da sein.',
      content: 'Inhalt der Datei.',
      hostFile: 'Oder eine Datei auf dem Host.',
      perms: 'Wie 0644.',
      user: 'Besitzer der Datei.',
      group: 'Gruppe der Datei.'
    }
  },
  pct_pull: {
    title: 'Datei aus einem Container holen',
    sentence: ({ where, params }) =>
      `${params.text('path')} aus Container ${where} nach ${params.text('hostFile')} kopieren`,
    undo: ({ params, place }) => `${params.text('hostFile')} auf ${place.host} entfernen.`,
    params: {
      path: 'Die Datei im Container.',
      hostFile: 'Wohin sie auf dem Host kommt; darf noch nicht da sein.'
    }
  },
  systemctl: {
    title: 'Dienst steuern',
    sentence: (acting) =>
      `${acting.params.text('unit')} ${at(acting)} ${acting.params.is('now') ? 'sofort ' : ''}${verbs[acting.params.text('verb')] ?? acting.params.text('verb')}`,
    undo: ({ params }) => unitUndo[params.text('verb')]?.(params.text('unit')) ?? '',
    params: {
      verb: 'Was mit dem Dienst geschehen soll.',
      unit: 'Name einer systemd-Unit, etwa caddy oder caddy.service.',
      now: 'Beim Aktivieren: auch starten; beim Deaktivieren: auch anhalten.'
    }
  },
  restart: {
    title: 'Dienst oder Gast neu starten',
    sentence: (acting) =>
      acting.params.has('service')
        ? `${acting.params.text('service')} ${at(acting)} neu starten`
        : `${acting.where} neu starten`,
    undo: nothingToUndo,
    params: { service: 'Diesen Dienst neu starten; ohne Angabe den Gast.' }
  },
  apt_upgrade: {
    title: 'Aktualisierungen einspielen',
    sentence: (acting) => {
      const packages = acting.params.list('packages')
      const what =
        packages.length === 0 ? 'Alle Aktualisierungen' : `Aktualisierungen von ${packages.join(', ')}`
      return `${what} ${at(acting)} einspielen`
    },
    undo: () => 'Pakete werden nicht zurückgelegt; auf einen Snapshot davor kann man zurückgehen.',
    params: { packages: 'Nur diese Pakete; ohne Angabe alle.' }
  },
  template_download: {
    title: 'Vorlage laden',
    sentence: ({ place, params }) =>
      `Vorlage ${params.text('template')} auf ${params.text('storage')} von ${place.host} laden`,
    undo: ({ params }) =>
      `pveam remove ${params.text('storage')}:vztmpl/${params.text('template')} entfernt sie wieder.`,
    params: { template: 'Dateiname der Vorlage.', storage: 'Ohne Angabe: der erste, der Vorlagen fasst.' }
  },
  vm_start: {
    title: 'VM starten',
    sentence: ({ where }) => `VM ${where} starten`,
    undo: ({ place }) => `vm_shutdown vm:${place.vmid} fährt sie wieder herunter.`,
    params: {}
  },
  vm_shutdown: {
    title: 'VM herunterfahren',
    sentence: ({ where }) => `VM ${where} herunterfahren`,
    undo: ({ place }) => `vm_start vm:${place.vmid} startet sie wieder.`,
    params: { timeoutSeconds: seconds }
  },
  vm_reboot: {
    title: 'VM neu starten',
    sentence: ({ where }) => `VM ${where} neu starten`,
    undo: nothingToUndo,
    params: { timeoutSeconds: seconds }
  },
  vm_stop: {
    title: 'VM sofort stoppen',
    sentence: ({ where }) => `VM ${where} sofort stoppen, ohne sie herunterzufahren`,
    undo: ({ place }) =>
      `vm_start vm:${place.vmid} startet sie wieder; was sie nicht geschrieben hatte, ist verloren.`,
    params: {}
  },
  vm_snapshot: {
    title: 'Snapshot machen',
    sentence: ({ where, params }) => `Snapshot ${params.text('name')} von ${where} machen`,
    undo: ({ params }) => `Den Snapshot ${params.text('name')} löschen.`,
    params: { name: snapshotName, description: change.description }
  },
  vm_rollback: {
    title: 'VM zurücksetzen',
    sentence: (acting) => rolledBack('VM', acting),
    undo: () => 'Lässt sich nicht rückgängig machen: Was seit dem Snapshot geschah, ist verloren.',
    params: { snapshot: snapshotName, start: 'Danach starten.' }
  },
  vm_delsnapshot: {
    title: 'Snapshot löschen',
    sentence: ({ where, params }) => `Snapshot ${params.text('snapshot')} von VM ${where} löschen`,
    undo: never,
    params: { snapshot: snapshotName }
  },
  run: {
    title: 'Befehl auf einem Host ausführen',
    sentence: (acting) => `${command(acting)} auf ${acting.place.host} ausführen`,
    undo: ({ found }) =>
      found.is('readsOnly') ? 'Nichts rückgängig zu machen: Es liest nur.' : 'Hängt vom Befehl ab.',
    params: { command: 'Eine Befehlszeile für sh.' }
  }
}
