import type { Saying } from '../../../src-preload/contract'

/** What a program does that is dangerous: said after its name. */
const dangers = {
  changes_disks: 'it changes disks or file systems',
  changes_disk: 'it changes disks',
  changes_accounts: 'it changes who may log in',
  removes_silently: 'it removes without asking',
  removes_system_file: 'it removes a file of the system',
  removes_system_folder: 'it removes a folder of the system',
  destroys_files: 'it destroys files',
  truncates: 'it cuts files off',
  writes_raw: 'it writes raw data',
  deletes_found: 'it deletes what it finds',
  writes_files: 'it writes to files',
  changes_zfs: 'it destroys or rolls back ZFS data',
  changes_zpool: 'it changes a ZFS pool',
  restores_over: 'it restores over a guest',
  removes_stored: 'it removes from a storage',
  api_deletes: 'it deletes or stops over the API',
  changes_cluster: 'it changes the cluster',
  changes_ha: 'it changes high availability',
  changes_ceph: 'it changes Ceph',
  removes_backups: 'it removes backups',
  stops_or_prunes: 'it stops guests or removes backups',
  changes_firewall: 'it opens or closes the firewall',
  replaces_firewall: 'it replaces the firewall',
  loosens_firewall: 'it takes rules off the firewall',
  stops_firewall: 'it stops the firewall',
  cuts_network: 'it may cut the network off',
  stops_machine: 'it stops the machine',
  restarts_machine: 'it restarts the machine',
  stops_or_restarts: 'it stops or restarts the machine',
  changes_runlevel: 'it changes the run level',
  stops_needed_unit: 'it stops a unit that the machine rests on',
  removes_logs: 'it removes logs',
  removes_packages: 'it removes packages',
  removes_schedule: 'it removes scheduled work',
  changes_rights: 'it changes rights of the system',
  changes_owners: 'it changes owners in the system',
  replaces_system_files: 'it replaces files of the system',
  writes_system_files: 'it writes to files of the system',
  changes_system_files: 'it changes files of the system',
  deletes_copying: 'it deletes while it copies',
  removes_images: 'it removes containers, images or volumes',
  removes_containers: 'it removes containers',
  discards_changes: 'it throws changes away',
  ends_processes: "it ends the machine's processes",
  ends_all: 'it ends every process',
  changes_kernel: "it changes the kernel's settings",
  takes_memory: 'it takes memory away',
  changes_boot: 'it changes how the machine starts',
  destroys_container: 'it destroys a container',
  stops_container: 'it stops a container',
  destroys_machine: 'it destroys a machine',
  takes_settings: 'taking settings off a guest',
  forced: 'a forced form'
} as const

/** Why a command as a whole is more than reading. */
const others = {
  removes_system: 'It would remove the system itself.',
  control_characters: 'It contains control characters that would hide what runs.',
  fork_bomb: 'It is a fork bomb: it would take the host down.',
  too_long: 'It is too long to be understood as a whole.',
  too_deep: 'It is nested too deeply.',
  not_understood: 'It is not wholly understood.',
  background: 'It goes on in the background.',
  sets_variables: 'It sets variables.',
  expands: 'It holds words that the shell would still expand (* ? [ ~ $).',
  runs_fetched: 'It runs what comes from the network.',
  removes_named: 'It removes whatever is named to it.',
  feeds_text: 'It feeds text to a command.',
  ambiguous: 'It means different things to different shells (&>).',
  opens_file: 'It opens a file.',
  reads_file: 'It reads a file in.',
  writes_file: 'It writes to a file.',
  unusual_way: 'It runs a command in another way than usual.',
  never_ends: 'It never ends.',
  reads_words: 'It runs a command with words that are read in.',
  unusual_path: 'It runs a program by an unusual path.',
  built_text: 'It runs a text that is put together first.',
  hidden_script: 'It runs a script that is not shown.',
  shell_options: 'It gives a shell options or arguments.',
  runs_on_found: 'It runs a command on what it finds.',
  other_machine: 'It acts on another machine.'
} as const

type DangerId = keyof typeof dangers
/** Sentences that name something of the command itself. */
type NamingId = 'unlisted' | 'syntax' | 'writes_to' | 'guest_verb'

/** Why a command counts as what it counts as. */
export type ReasonId = DangerId | keyof typeof others | NamingId

export const reasonIds = [
  ...Object.keys(dangers),
  ...Object.keys(others),
  ...['unlisted', 'syntax', 'writes_to', 'guest_verb']
] as readonly ReasonId[]

export interface Reason {
  readonly id: ReasonId
  /** The program, or what of the command is meant. */
  readonly about: string
}

const naming: Readonly<Record<NamingId, (about: string) => string>> = {
  unlisted: (program) =>
    `${program}, used like this, is not on the list of what only reads and shows no secrets.`,
  syntax: (node) => `It uses shell syntax beyond plain commands (${node}).`,
  writes_to: (path) => `It writes to ${path}.`,
  guest_verb: (command) => `${command} of a guest.`
}

const has = <K extends string>(table: Readonly<Record<K, unknown>>, id: string): id is K =>
  Object.hasOwn(table, id)

/** The reason as a sentence. */
export function sayReason({ id, about }: Reason): string {
  if (has(naming, id)) return naming[id](about)
  return has(dangers, id) ? `${about}: ${dangers[id]}.` : others[id]
}

/** The same without its words. */
export const reasonSaid = ({ id, about }: Reason): Saying => ({ id: `reason.${id}`, facts: { about } })
