import type { actions as english } from '../en/actions'

export const actions: typeof english = {
  pct_create: 'Legt einen neuen Container an und startet ihn.',
  pct_start: 'Startet den Container.',
  pct_shutdown: 'Fährt den Container ordentlich herunter.',
  pct_reboot:
    'Fährt ihn herunter und startet ihn wieder. Änderungen, die auf einen Start warten, greifen dann.',
  pct_stop:
    'Beendet alle Prozesse sofort: Was nicht geschrieben ist, geht verloren. Besser zuerst herunterfahren.',
  pct_destroy: 'Entfernt den Container samt Platten und Snapshots. Er muss vorher heruntergefahren sein.',
  pct_set:
    'Kerne, Speicher, Swap, Hostname, Tags und Ähnliches. Manche Änderungen warten auf den nächsten Start.',
  pct_resize: 'Vergrößert eine Platte. Verkleinern lässt sie sich nie wieder.',
  pct_clone: 'Kopiert den Container in einen neuen, der gestoppt bleibt.',
  pct_snapshot: 'Ein Stand, zu dem man zurückkehren kann. Mit Bind-Mounts nicht möglich.',
  pct_rollback: 'Zurück zu einem Snapshot: Alles seitdem ist verloren, und der Container wird angehalten.',
  pct_delsnapshot: 'Zu ihm kann niemand mehr zurückkehren.',
  pct_exec: 'Führt darin ein Programm aus, als root.',
  pct_push: 'Schreibt einen Text oder eine Datei des Hosts an einen Pfad darin und ersetzt, was dort steht.',
  pct_pull: 'Kopiert eine Datei von darin in eine neue Datei auf dem Host.',
  template_download: 'Lädt eine Container-Vorlage auf einen Speicher.',
  vm_start: 'Startet die virtuelle Maschine.',
  vm_shutdown: 'Bittet ihr System, herunterzufahren.',
  vm_reboot: 'Bittet ihr System, neu zu starten.',
  vm_stop: 'Wie Stecker ziehen: Was nicht geschrieben ist, geht verloren. Besser zuerst herunterfahren.',
  vm_snapshot: 'Ein Stand, zu dem man zurückkehren kann.',
  vm_rollback:
    'Zurück zu einem Snapshot: Alles seitdem ist verloren. Sie läuft nur weiter, wenn ihr Arbeitsspeicher darin ist.',
  vm_delsnapshot: 'Zu ihm kann niemand mehr zurückkehren.',
  apt_upgrade:
    'Liest die Paketlisten und installiert wartende Aktualisierungen. Geänderte Konfigurationsdateien bleiben.',
  systemctl: 'Startet, stoppt, lädt neu, aktiviert oder deaktiviert einen Dienst.',
  restart: 'Startet einen Dienst neu, oder den Gast selbst, wenn keiner genannt ist. Nie einen Host.',
  run: 'Führt eine Befehlszeile auf dem Host aus.'
}
