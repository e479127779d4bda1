import type { Catalogue } from '../catalogue'

/** Steps of the tests of a host and of a model: what is said when it went well, and what when not. */
export const steps: Catalogue['steps'] = {
  'key.ok': 'Der Schlüssel lässt sich lesen.',
  'connect.ok': 'Der Host antwortet.',
  'host_key.ok': 'Der Host-Schlüssel ist anerkannt.',
  'login.ok': 'Die Anmeldung gelingt.',
  'text.ok': 'Es antwortet mit Text.',
  'text.failed': 'Es hat nicht mit Text geantwortet.',
  'tool.ok': 'Es ruft Werkzeuge auf.',
  'tool.failed': 'Es hat das verlangte Werkzeug nicht gerufen. Wählen Sie ein Modell, das Werkzeuge kann.',
  'parallel_tools.ok': 'Es macht mehrere Aufrufe in einer Antwort.',
  'parallel_tools.failed': 'Es machte einen Aufruf nach dem anderen; Züge dauern länger, gehen aber.',
  'tool_without_arguments.ok': 'Es ruft Werkzeuge auf, die keine Angaben nehmen.',
  'tool_without_arguments.failed': 'Es hat ein Werkzeug ohne Angaben nicht gerufen.',
  'cancel.ok': 'Es hört sofort auf, wenn man es sagt.',
  'cancel.failed': 'Seine Antwort war vorbei, bevor sie angehalten werden konnte.'
}
