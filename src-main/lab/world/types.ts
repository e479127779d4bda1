/** Everything the simulated cluster is made of. Plain JSON: it is what the lab keeps on disk. */
export interface World {
  readonly version: 1
  readonly cluster: string
  nodes: Record<string, Node>
  /** By VMID. */
  guests: Record<string, Guest>
  /** By machine id: `host:strong`, `lxc:101`. */
  machines: Record<string, Machine>
  tasks: Task[]
  /** Changes that come by themselves later, such as a guest that finished booting. */
  scheduled: { readonly at: number; readonly change: Change }[]
  /** Source of process ids and MAC addresses: every use gives the next number. */
  counter: number
}

export interface Node {
  readonly name: string
  readonly address: string
  bootId: string
  bootedAt: number
  readonly cpus: number
  readonly memory: number
  readonly cpuModel: string
  /** Fraction of the CPUs and of the memory in use without any guest. */
  readonly cpuBase: number
  readonly memoryBase: number
  storages: Record<string, Storage>
}

export interface Storage {
  readonly name: string
  readonly type: 'dir' | 'lvmthin'
  readonly content: readonly string[]
  readonly total: number
  /** Bytes in use by other things than the lab's guests and templates. */
  readonly base: number
  /** File names of container templates. */
  templates: string[]
}

interface Snapshot {
  readonly name: string
  readonly description: string
  readonly at: number
  readonly parent: string | null
  readonly config: Record<string, string>
  /** The volume with the memory of a virtual machine. */
  readonly memory: string | null
  /** The guest's files and services at that time; null for a VM. */
  readonly machine: Machine | null
}

export interface Guest {
  readonly vmid: number
  readonly kind: 'lxc' | 'vm'
  node: string
  status: 'running' | 'stopped'
  startedAt: number | null
  pid: number | null
  lock: string | null
  template: boolean
  /** As in the guest's configuration file, without snapshots. */
  config: Record<string, string>
  snapshots: Snapshot[]
  /** Fraction of its cores and memory it uses on average while it runs. */
  cpuBase: number
  memoryBase: number
  diskUsed: number
  address: string
  /** Something on the node starts it again once after it was shut down: the lab's trap for `pct destroy`. */
  watchdog: boolean
}

export interface FileEntry {
  content: string
  mode: number
  dir: boolean
  at: number
}

export interface Service {
  readonly unit: string
  description: string
  active: 'active' | 'inactive' | 'failed'
  sub: string
  enabled: boolean
  since: number
  pid: number | null
  /** Exit status of the main process, when it has ended. */
  exitStatus: number
  result: string
  restarts: number
  ports: number[]
  /** Command line of the main process. */
  program: string
  /** Why a start fails, as the journal tells it; null when it starts. */
  fault: string | null
  memory: number
}

export interface JournalEntry {
  readonly at: number
  readonly unit: string
  readonly ident: string
  readonly pid: number
  /** As syslog counts: 3 error, 4 warning, 6 info. */
  readonly priority: number
  readonly message: string
}

export interface Upgrade {
  readonly name: string
  readonly suite: string
  readonly from: string
  readonly to: string
}

/** A system with files, services and packages: a node or the inside of a container. */
export interface Machine {
  readonly id: string
  hostname: string
  readonly os: string
  files: Record<string, FileEntry>
  services: Record<string, Service>
  packages: string[]
  upgrades: Upgrade[]
  journal: JournalEntry[]
  apt: {
    /** True until the first apt command: it meets unattended-upgrades. */
    fresh: boolean
    lockedUntil: number
  }
  /** Sites of the reverse proxy as they were loaded last, host name to upstream. */
  sites: Record<string, string>
}

interface Task {
  readonly upid: string
  readonly node: string
  readonly pid: number
  readonly type: string
  readonly vmid: number
  readonly startedAt: number
  endedAt: number | null
  /** `OK`, or the error's text. */
  status: string | null
  log: string[]
}

/**
 * A change of the world as data, so that it can be planned when a command starts, kept on disk,
 * and applied once when it is due. Changes that name something that is gone do nothing.
 */
export type Change =
  | { readonly do: 'guest.add'; readonly guest: Guest; readonly machine: Machine | null }
  | { readonly do: 'guest.remove'; readonly vmid: number }
  | {
      readonly do: 'guest.set'
      readonly vmid: number
      readonly set: Partial<
        Pick<Guest, 'status' | 'startedAt' | 'pid' | 'lock' | 'template' | 'watchdog' | 'diskUsed' | 'node'>
      >
    }
  | {
      readonly do: 'guest.config'
      readonly vmid: number
      readonly set: Readonly<Record<string, string>>
      readonly remove: readonly string[]
    }
  | {
      readonly do: 'snapshot.add'
      readonly vmid: number
      readonly name: string
      readonly description: string
      readonly at: number
      readonly memory: string | null
    }
  | { readonly do: 'snapshot.remove'; readonly vmid: number; readonly name: string }
  | { readonly do: 'snapshot.rollback'; readonly vmid: number; readonly name: string }
  | { readonly do: 'file.put'; readonly machine: string; readonly path: string; readonly file: FileEntry }
  | { readonly do: 'file.remove'; readonly machine: string; readonly path: string }
  | { readonly do: 'service.put'; readonly machine: string; readonly service: Service }
  | { readonly do: 'service.remove'; readonly machine: string; readonly unit: string }
  | {
      readonly do: 'machine.set'
      readonly machine: string
      readonly set: Partial<Pick<Machine, 'apt' | 'sites' | 'upgrades' | 'hostname'>>
    }
  | { readonly do: 'package.add'; readonly machine: string; readonly names: readonly string[] }
  | { readonly do: 'package.remove'; readonly machine: string; readonly names: readonly string[] }
  | { readonly do: 'journal.add'; readonly machine: string; readonly entry: JournalEntry }
  | { readonly do: 'template.add'; readonly node: string; readonly storage: string; readonly name: string }
  | { readonly do: 'template.remove'; readonly node: string; readonly storage: string; readonly name: string }
  | { readonly do: 'task.start'; readonly task: Task }
  | { readonly do: 'task.end'; readonly upid: string; readonly at: number; readonly status: string }
  | { readonly do: 'schedule'; readonly at: number; readonly change: Change }
  | { readonly do: 'count'; readonly to: number }
