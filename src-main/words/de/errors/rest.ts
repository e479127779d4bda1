import type { Catalogue } from '../../catalogue'
import type { Facts } from '../../facts'

const nothingChanged = 'Es wurde nichts geändert.'
const why = (f: Facts) => (f.has('why') ? `: ${f.text('why')}` : '')
const named = (f: Facts, article: string) => (f.has('name') ? `${article} „${f.text('name')}“` : article)

/** Settings, secrets, data, knowledge, skills, MCP servers and the app itself. */
export const restErrors: Catalogue['errors'] = {
  config_unwritable: (f) => ({
    message: `Die Konfiguration ließ sich nicht schreiben${why(f)}. ${nothingChanged}`,
    hint: 'Prüfen Sie, ob die Datei und ihr Ordner beschreibbar sind.'
  }),
  config_invalid: (f) => ({
    message: `${f.has('path') ? `${f.text('path')}: ` : ''}Diese Einstellung ist nicht gültig. ${nothingChanged}`
  }),
  input_invalid: (f) => ({
    message: `${
      f
        .each('fields')
        .map((field) => field.text('path'))
        .filter((path) => path !== '')
        .join(', ') || 'Die Eingabe'
    }: Das passt nicht. ${nothingChanged}`
  }),
  route_unknown: () => ({ message: 'Das kann die App nicht.' }),
  sender_refused: () => ({ message: 'Das darf nur das Fenster von Nomos selbst fragen.' }),
  internal_error: () => ({
    message: 'In Nomos selbst ist etwas schiefgegangen.',
    hint: 'Das Protokoll sagt, was: Hilfe, Protokolle zeigen.'
  }),
  start_failed: () => ({ message: 'Der Start ist misslungen.', hint: 'Das Protokoll sagt, warum.' }),
  app_incomplete: () => ({
    message: 'Dateien der App selbst lassen sich nicht lesen.',
    hint: 'Installieren Sie Nomos neu.'
  }),
  home_locked: () => ({ message: 'Nomos läuft schon mit diesem Datenordner.' }),
  window_crashes: () => ({
    message:
      'Das Fenster von Nomos ist mehrmals nacheinander abgestürzt. Was auf Ihren Hosts läuft, geht weiter.',
    hint: 'Schließen Sie dieses Fenster und starten Sie Nomos neu. Geschieht es wieder, sagt das Protokoll mehr.'
  }),
  disk_refuses: () => ({
    message:
      'Die Platte nimmt nichts an: Es lässt sich nichts speichern. Schaffen Sie Platz; dann geht es von selbst weiter.'
  }),
  declined: () => ({ message: 'Es wurde nichts geöffnet und nichts gestartet.' }),
  folder_not_opened: () => ({ message: 'Der Ordner ließ sich nicht öffnen.' }),
  browser_not_found: () => ({
    message: 'Für diese Adresse ließ sich kein Browser starten.',
    hint: 'Kopieren Sie sie stattdessen.'
  }),
  url_refused: () => ({
    message: 'Diese Adresse wurde nicht geöffnet.',
    hint: 'Kopieren Sie sie und sehen Sie sie sich genau an, bevor Sie sie öffnen.'
  }),
  diagnostics_failed: (f) => ({ message: `Die Diagnose ließ sich nicht schreiben${why(f)}.` }),
  lab_failed: (f) => ({
    message: `Das Labor ließ sich nicht starten${why(f)}.`,
    hint: 'Ist auf der Platte Platz?'
  }),

  keychain_unavailable: (f) => ({
    message: `Der Schlüsselbund ist zurzeit nicht zu gebrauchen${f.has('name') ? `; „${f.text('name')}“ liegt darin` : ''}.`,
    hint: 'Geben Sie das Geheimnis in den Einstellungen für diesen Lauf noch einmal ein, oder verwenden Sie env:NAME.'
  }),
  secret_missing: (f) => ({
    message: f.has('name')
      ? `Ein Geheimnis „${f.text('name')}“ gibt es nicht.`
      : 'Das Geheimnis gibt es nicht.',
    hint: 'Tragen Sie es in den Einstellungen ein.'
  }),

  executions_running: () => ({
    message: `Auf Ihren Hosts läuft noch etwas, von dem die Sicherung nichts weiß. ${nothingChanged}`,
    hint: 'Warten Sie, bis es endet, oder brechen Sie es ab; stellen Sie dann wieder her.'
  }),
  backup_unsound: () => ({ message: `Die Sicherung ist beschädigt. ${nothingChanged}` }),
  backup_failed: (f) => ({
    message: `Die Datenbank ließ sich nicht sichern${why(f)}.`,
    hint: 'Ist die Platte voll?'
  }),
  backup_not_found: () => ({
    message: 'Diese Sicherung gibt es nicht.',
    hint: 'Sehen Sie im Ordner der Sicherungen nach.'
  }),
  backup_foreign: () => ({ message: `Das ist keine Datenbank von Nomos. ${nothingChanged}` }),
  restore_failed: () => ({
    message: `Die Sicherung ließ sich nicht bereitlegen. ${nothingChanged}`,
    hint: 'Ist die Platte voll?'
  }),
  database_newer: () => ({
    message: `Die Datenbank stammt aus einem neueren Nomos. ${nothingChanged}`,
    hint: 'Installieren Sie wieder das neuere Nomos.'
  }),
  database_unreadable: () => ({
    message: 'Die Datenbank lässt sich nicht öffnen.',
    hint: 'Legen Sie eine Kopie aus dem Ordner der Sicherungen an ihre Stelle.'
  }),
  migration_failed: () => ({
    message: 'Die Datenbank ließ sich nicht auf den neuen Stand bringen und ist, wie sie war.',
    hint: 'Eine Kopie liegt bei den Sicherungen.'
  }),

  document_not_found: () => ({ message: 'Dieses Dokument gibt es nicht; vielleicht wurde es entfernt.' }),
  skill_not_found: (f) => ({ message: `${named(f, 'Den Skill')} gibt es nicht.` }),
  skill_invalid: (f) => ({ message: `${named(f, 'Der Skill')} ist nicht zu gebrauchen.` }),
  skill_changed: (f) => ({
    message: `${named(f, 'Der Skill')} ist nicht mehr, was gezeigt wurde. ${nothingChanged}`,
    hint: 'Lesen Sie ihn noch einmal.'
  }),
  skill_waits: (f) => ({
    message: `${named(f, 'Der Skill')} wartet, bis Sie ihn erlauben.`,
    hint: 'Unter Wissen, Skills können Sie ihn lesen und erlauben.'
  }),

  mcp_server_exists: (f) => ({
    message: `${f.has('name') ? `Einen Server ${f.text('name')}` : 'Einen Server dieses Namens'} gibt es schon. ${nothingChanged}`,
    hint: 'Wählen Sie einen anderen Namen.'
  }),
  mcp_server_unknown: () => ({ message: 'Diesen MCP-Server gibt es nicht.' }),
  mcp_server_failed: (f) => ({
    message: `${f.has('name') ? `Der Server ${f.text('name')}` : 'Der MCP-Server'} ist nicht zu gebrauchen${why(f)}.`,
    hint: 'Sehen Sie nach, was er sagt, und verbinden Sie dann noch einmal.'
  }),
  mcp_launch_changed: () => ({
    message: 'Was gestartet würde, ist nicht mehr, was gezeigt wurde. Es wurde nichts gestartet.',
    hint: 'Sehen Sie es sich noch einmal an.'
  }),
  mcp_not_confirmed: () => ({ message: 'Der Server wurde noch nicht bestätigt. Es wurde nichts gestartet.' }),
  mcp_tool_unknown: () => ({ message: 'Dieses Werkzeug hat der Server nicht. Es wurde nichts erlaubt.' }),
  mcp_tool_unusable: () => ({ message: 'Dieses Werkzeug ist nicht zu gebrauchen.' }),
  mcp_tool_changed: () => ({
    message: 'Das Werkzeug ist nicht mehr, was gezeigt wurde. Es wurde nichts erlaubt.',
    hint: 'Sehen Sie es sich noch einmal an.'
  }),
  mcp_tool_failed: (f) => ({ message: `Das Werkzeug des Servers ist fehlgeschlagen${why(f)}.` }),
  mcp_timeout: () => ({ message: 'Das Werkzeug des Servers hat nicht rechtzeitig geantwortet.' }),
  mcp_declined: () => ({
    message: 'Der Server wollte, dass Sie erst eine Seite öffnen. Das lehnt Nomos immer ab.'
  }),
  outside_text_read: () => ({
    message:
      'In diesem Zug wurde fremder Text gelesen; er darf nicht bestimmen, was an den Server gesendet wird. Er wurde nicht gerufen.'
  }),
  port_in_use: () => ({
    message: 'Der Port ist von einem anderen Programm belegt.',
    hint: 'Wählen Sie einen anderen, oder 0 für irgendeinen.'
  }),
  listen_failed: (f) => ({ message: `Der Zugang für andere Programme ließ sich nicht öffnen${why(f)}.` })
}
