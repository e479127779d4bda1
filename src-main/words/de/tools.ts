import type { Catalogue } from '../catalogue'
import type { Facts } from '../facts'

type Tool = Catalogue['tools'][string]

/** The name alone: `lxc:typetype@strong` → `typetype`. */
const bare = (target: string): string => target.replace(/^(?:host|lxc|vm):/, '').replace(/@.*$/, '')
const target = (args: Facts): string => bare(args.text('target'))

/** The core names the object: "caddy", an address, a quoted search. */
const about =
  (sentence: (object: string) => string): Tool =>
  (_, object) => ({ sentence: sentence(object), object })

/** What is listed, where it is listed of one node only. */
const all =
  (sentence: string, object: string): Tool =>
  (args) => ({ sentence: `${sentence}${args.has('node') ? ` (${args.text('node')})` : ''}`, object })

/** An execution is named by what it acts on. */
const execution =
  (sentence: string): Tool =>
  (_, object) => ({ sentence: object === '' ? sentence : `${sentence}: ${object}`, object: 'Ausführung' })

/** What a tool does while it runs. */
export const tools: Catalogue['tools'] = {
  list_hosts: all('Listet die Hosts auf', 'Hosts'),
  get_host_state: about((host) => `Liest den Zustand von ${host}`),
  list_entities: all('Listet auf, was bekannt ist', 'Bekanntes'),
  get_entity: about((name) => `Sieht ${name} nach`),
  explain: about((name) => `Sammelt, was von ${name} bekannt ist`),
  get_state_snapshot: all('Liest den Zustand der ganzen Flotte', 'Flotte'),
  list_lxcs: all('Listet die Container auf', 'Container'),
  get_lxc_state: about((name) => `Liest den Zustand von ${name}`),
  list_vms: all('Listet die virtuellen Maschinen auf', 'VMs'),
  get_vm_state: about((name) => `Liest den Zustand von ${name}`),
  list_storages: all('Listet die Speicher auf', 'Speicher'),
  list_templates: all('Listet die Vorlagen auf', 'Vorlagen'),
  list_snapshots: about((name) => `Listet die Snapshots von ${name} auf`),
  list_tasks: all('Listet die Aufgaben auf', 'Aufgaben'),
  list_services: about((name) => `Listet die Dienste von ${name} auf`),
  get_service_state: (args) => {
    const object = `${args.text('service')} auf ${target(args)}`
    return { sentence: `Prüft ${object}`, object }
  },
  read_logs: (args) => {
    const service = args.text('service')
    const of = service === '' ? target(args) : `${service} auf ${target(args)}`
    return { sentence: `Liest das Protokoll von ${of}`, object: service === '' ? target(args) : service }
  },
  list_updates: (args) =>
    args.has('target')
      ? { sentence: `Sieht nach Aktualisierungen von ${target(args)}`, object: target(args) }
      : { sentence: 'Sieht nach Aktualisierungen aller laufenden Container', object: 'Aktualisierungen' },
  check_http: (args, object) => ({ sentence: `Prüft ${args.text('url', object)}`, object }),
  check_port: (args, object) => ({
    sentence: `Prüft Port ${args.text('port')} von ${args.text('address')}`,
    object
  }),
  search_knowledge: (args, object) => ({
    sentence: `Durchsucht das Wissen nach „${args.text('query', object)}“`,
    object: `„${args.text('query', object)}“`
  }),
  get_document: about((title) => `Liest ${title}`),
  add_note: (args, object) => ({
    sentence: `Schreibt die Notiz „${args.text('title', object)}“`,
    object: `„${args.text('title', object)}“`
  }),
  web_fetch: about((address) => `Liest ${address}`),
  propose_plan: (args) => ({ sentence: `Schlägt einen Plan vor: ${args.text('title')}`, object: 'Plan' }),
  request_execution: (args) => {
    const step = args.text('step')
    if (step !== '') return { sentence: `Beginnt Schritt ${step} des Plans`, object: `Schritt ${step}` }
    const what = [args.text('action'), args.has('target') && `für ${args.text('target')}`].filter(Boolean)
    return { sentence: `Fordert an: ${what.join(' ')}`, object: args.text('target') || 'Ausführung' }
  },
  get_execution_status: execution('Sieht nach der Ausführung'),
  list_executions: all('Listet die Ausführungen auf', 'Ausführungen'),
  cancel_execution: execution('Bricht die Ausführung ab'),
  list_signals: all('Liest die Signale', 'Signale'),
  acknowledge_signal: all('Nimmt ein Signal zur Kenntnis', 'Signal'),
  get_tools_summary: all('Liest die Übersicht der Werkzeuge', 'Werkzeuge'),
  list_skills: all('Listet die Skills auf', 'Skills'),
  load_skill: about((name) => `Lädt den Skill ${name}`),
  list_sessions: all('Listet die Sitzungen auf', 'Sitzungen'),
  get_session: about((title) => `Liest den Verlauf von ${title}`)
}
