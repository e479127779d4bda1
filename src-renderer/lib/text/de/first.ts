import type { Catalogue } from '../index'
import { count } from '../count'

export const first: Catalogue['first'] = {
  title: 'Willkommen bei Nomos',
  body: 'Proxmox VE im Gespräch betreiben. Sie stimmen zu, Nomos führt aus, und Sie sehen jedes Ergebnis.',
  lab: 'Das Labor erkunden',
  labBody: 'Ein simulierter Cluster mit zwei Knoten und ein Modell nach Drehbuch. Ganz ohne Einrichtung.',
  labStarting: 'Das Labor startet',
  node: 'Meinen ersten Knoten hinzufügen',
  nodeBody: 'Adresse, Benutzer und Schlüssel. Die Verbindung wird Schritt für Schritt geprüft.',
  model: 'Ein Modell verbinden',
  modelBody: 'OpenRouter, OpenAI, Anthropic oder eines auf Ihrem Rechner.',
  nodeBegun: (name) => `Mit ${name} weitermachen, wo Sie aufgehört haben.`,
  nodeDone: (n) => count(n, 'Knoten hinzugefügt', 'Knoten hinzugefügt'),
  modelDone: (name) => `${name} ist eingerichtet`
}
