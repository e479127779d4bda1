import type { Catalogue } from '../../catalogue'
import type { Facts } from '../../facts'

const goOn = 'Lassen Sie den Agenten von hier weitermachen.'
const tryAgain =
  'Es ging nichts verloren. Versuchen Sie es noch einmal, oder wählen Sie in den Einstellungen ein anderes Modell.'
const anotherModel = 'Wählen Sie in den Einstellungen ein anderes Modell.'

/** What the service of a model said, in its own words. */
const said = (f: Facts) => (f.has('said') ? ` Er sagte: „${f.text('said')}“` : '')

/** Conversations, turns and the services of models. */
export const agentErrors: Catalogue['errors'] = {
  attachment_not_found: () => ({
    message: 'Diesen Text gibt es nicht mehr.',
    hint: 'Öffnen Sie das Gespräch neu.'
  }),
  tool_call_not_found: () => ({
    message: 'Diesen Aufruf gibt es nicht mehr.',
    hint: 'Öffnen Sie das Gespräch neu.'
  }),
  turn_running: () => ({
    message: 'Der Agent arbeitet in diesem Gespräch.',
    hint: 'Warten Sie, bis er fertig ist, oder halten Sie ihn zuerst an.'
  }),
  message_not_queued: () => ({
    message: 'Diese Nachricht wartet nicht mehr: Ihr Zug hat begonnen.',
    hint: 'Senden Sie stattdessen eine neue.'
  }),
  message_empty: () => ({
    message: 'In dieser Nachricht steht nichts.',
    hint: 'Schreiben Sie, was geschehen soll.'
  }),
  nothing_to_retry: () => ({
    message: 'Es gibt noch keine Nachricht, auf die zu antworten wäre.',
    hint: 'Schreiben Sie, was geschehen soll.'
  }),
  nothing_to_continue: () => ({
    message: 'Hier wartet nichts: Jedes Ergebnis wurde übergeben.',
    hint: 'Schreiben Sie, was als Nächstes geschehen soll.'
  }),
  import_newer: () => ({
    message: 'Diese Sitzung stammt aus einem neueren Nomos. Es wurde nichts eingelesen.',
    hint: 'Aktualisieren Sie Nomos und lesen Sie sie dann noch einmal ein.'
  }),
  import_invalid: () => ({
    message: 'Diese Datei ist keine Sitzung, die sich einlesen lässt. Es wurde nichts eingelesen.',
    hint: 'Speichern Sie die Sitzung als Datei und wählen Sie diese.'
  }),
  session_imported: () => ({
    message:
      'Diese Sitzung wurde aus einer Datei eingelesen. Sie ist eine Aufzeichnung: Nichts darin läuft oder wartet.',
    hint: 'Lesen Sie sie, lassen Sie sie untersuchen, oder schreiben Sie, um von hier weiterzumachen.'
  }),
  session_not_found: () => ({
    message: 'Dieses Gespräch gibt es nicht mehr.',
    hint: 'Wählen Sie ein anderes, oder beginnen Sie ein neues.'
  }),
  assent_window_closed: () => ({
    message:
      'Die Zeit, in der auf Ergebnisse von selbst der nächste Schritt folgt, ist um; der Agent wartet auf Sie.'
  }),
  continuation_limit: () => ({
    message: 'Der Agent hat so oft von selbst weitergemacht, wie er darf; nun wartet er auf Sie.'
  }),
  continuation_crashed: () => ({
    message: 'Nomos wurde mehrmals beendet, während es daran arbeitete; der Agent wartet auf Sie.'
  }),
  repeated_failure: () => ({
    message:
      'Dieselbe Aktion ist am selben Ziel dreimal nacheinander fehlgeschlagen; der Agent hat angehalten und wartet auf Sie.'
  }),

  model_not_configured: () => ({
    message: 'Es ist noch kein Modell eingerichtet.',
    hint: 'Wählen Sie in den Einstellungen Anbieter und Modell, oder erkunden Sie das Labor.'
  }),
  model_unknown: (f) => ({
    message: `Das Modell ${f.has('name') ? `„${f.text('name')}“ ` : ''}ist nicht mehr eingerichtet; es wurde nichts gesendet.`,
    hint: 'Wählen Sie am Kopf dieses Gesprächs ein anderes, oder richten Sie dieses in den Einstellungen ein.'
  }),
  model_url_insecure: () => ({
    message: 'Der API-Schlüssel ginge unverschlüsselt über das Netz; es wurde nichts gesendet.',
    hint: 'Tragen Sie in den Einstellungen eine https-Adresse ein.'
  }),
  model_key_invalid: () => ({
    message:
      'Im API-Schlüssel stehen Leerzeichen, Umbrüche oder Zeichen, die kein Schlüssel hat; es wurde nichts gesendet.',
    hint: 'Kopieren Sie ihn noch einmal und tragen Sie ihn in den Einstellungen ein.'
  }),
  model_key_rejected: (f) => ({
    message: `Der Dienst des Modells nimmt den API-Schlüssel nicht an.${said(f)}`,
    hint: 'Tragen Sie in den Einstellungen einen gültigen Schlüssel ein.'
  }),
  model_not_found: (f) => ({
    message: `Der Dienst kennt dieses Modell nicht.${said(f)}`,
    hint: anotherModel
  }),
  model_no_credit: (f) => ({
    message: `Beim Dienst des Modells ist kein Guthaben mehr.${said(f)}`,
    hint: 'Laden Sie dort Guthaben auf, oder wählen Sie in den Einstellungen ein anderes Modell.'
  }),
  model_busy: (f) => ({ message: `Der Dienst des Modells ist ausgelastet.${said(f)}`, hint: tryAgain }),
  model_unavailable: (f) => ({
    message: `Der Dienst des Modells ist ausgefallen.${said(f)}`,
    hint: tryAgain
  }),
  model_stream_broken: () => ({ message: 'Die Antwort des Modells ließ sich nicht lesen.', hint: tryAgain }),
  model_error: (f) => ({
    message: `Der Dienst des Modells hat einen Fehler gemeldet.${said(f)}`,
    hint: tryAgain
  }),
  model_timeout: () => ({ message: 'Der Dienst des Modells hat zu lange geschwiegen.', hint: tryAgain }),
  model_unreachable: () => ({
    message: 'Der Dienst des Modells ist nicht erreichbar.',
    hint: 'Prüfen Sie, ob er läuft und ob seine Adresse in den Einstellungen stimmt; versuchen Sie es dann noch einmal.'
  }),
  model_bad_answer: () => ({
    message: 'Unter der Adresse des Modells antwortet etwas, das kein Modell ist.',
    hint: 'Prüfen Sie die Adresse in den Einstellungen; meist endet sie auf /v1.'
  }),
  model_request_refused: (f) => ({
    message: `Der Dienst des Modells hat die Anfrage abgelehnt.${said(f)}`,
    hint: anotherModel
  }),
  context_full: () => ({
    message: 'Das Gespräch ist länger, als dieses Modell auf einmal lesen kann.',
    hint: 'Beginnen Sie ein neues Gespräch, oder wählen Sie ein Modell mit größerem Kontext.'
  }),
  context_window_too_small: () => ({
    message: 'Dieses Modell liest zu wenig auf einmal: Schon die Werkzeuge brauchen mehr.',
    hint: 'Wählen Sie ein Modell mit größerem Kontext, oder erhöhen Sie den, mit dem es läuft.'
  }),
  model_empty: () => ({
    message:
      'Das Modell hat zweimal mit nichts geantwortet. Was vorher getan wurde, gilt; es ging nichts verloren.',
    hint: 'Lassen Sie es von hier weitermachen, oder schreiben Sie, was es tun soll.'
  }),
  answer_cut: () => ({
    message:
      'Die Verbindung zum Modell brach ab, bevor die Antwort vollständig war. Kein Aufruf daraus wurde ausgeführt.',
    hint: goOn
  }),
  answer_too_long: () => ({
    message:
      'Die Antwort stieß an die Grenze des Modells und ist unvollständig. Kein unvollständiger Aufruf wurde ausgeführt.',
    hint: 'Lassen Sie es von hier weitermachen, oder verlangen Sie weniger auf einmal.'
  }),
  model_refused: () => ({
    message: 'Das Modell oder sein Dienst hat die Antwort verweigert.',
    hint: 'Sagen Sie es mit anderen Worten, oder wählen Sie in den Einstellungen ein anderes Modell.'
  }),
  turn_stopped: () => ({
    message:
      'Sie haben diese Antwort angehalten. Laufende Ausführungen gehen weiter; jede lässt sich einzeln abbrechen.',
    hint: 'Lassen Sie es weitermachen, oder schreiben Sie, was stattdessen geschehen soll.'
  }),
  turn_time_limit: () => ({ message: 'Der Zug dauerte länger als erlaubt und wurde beendet.', hint: goOn }),
  turn_call_limit: () => ({
    message: 'Der Zug hat so viele Aufrufe gemacht wie erlaubt und wurde beendet.',
    hint: goOn
  }),
  turn_resumed: () => ({
    message: 'Nomos wurde mitten in dieser Antwort geschlossen; von hier ging es weiter.'
  }),
  turn_resume_failed: () => ({
    message:
      'Nomos wurde mehrmals beendet, während es an dieser Antwort arbeitete; von selbst wurde sie nicht wieder begonnen.',
    hint: 'Lassen Sie es weitermachen, oder beginnen Sie ein neues Gespräch.'
  }),
  storage_failed: () => ({
    message: 'Nomos konnte nicht in seine Datenbank schreiben.',
    hint: 'Schaffen Sie Platz auf der Platte und lassen Sie es dann weitermachen.'
  })
}
