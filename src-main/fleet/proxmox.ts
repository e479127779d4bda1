import { z } from 'zod'
import type { GuestView, StorageView } from '../../src-preload/contract'

/*
 * What `pvesh get … --output-format json` prints (pve-manager, PVE/API2/Cluster.pm). Numbers may come as strings and
 * most fields may be missing: a field that cannot be read falls back, an entry without identity is left out.
 */

const number = z.coerce.number().refine(Number.isFinite).catch(0)
const flag = z.coerce
  .number()
  .transform((value) => value === 1)
  .catch(false)
const word = z.union([z.string().min(1), z.number().transform(String)])

const guestEntry = z.object({
  type: z.enum(['lxc', 'qemu']),
  vmid: z.coerce.number().int().positive(),
  node: word,
  /** Absent while the node or its status daemon is down: no reason to think the guest is gone. */
  name: word.optional().catch(undefined),
  status: z.enum(['running', 'stopped']).or(z.literal('unknown')).catch('unknown'),
  cpu: number,
  maxcpu: number,
  mem: number,
  maxmem: number,
  disk: number,
  maxdisk: number,
  uptime: number,
  template: flag,
  tags: z.string().catch(''),
  lock: word.nullable().catch(null)
})

const nodeEntry = z.object({
  type: z.literal('node'),
  node: word,
  status: z.string().catch('unknown'),
  cpu: number,
  maxcpu: number,
  mem: number,
  maxmem: number,
  uptime: number
})
type NodeFacts = z.infer<typeof nodeEntry>

const storageEntry = z.object({
  type: z.literal('storage'),
  storage: word,
  node: word,
  status: z.string().catch('unknown'),
  plugintype: z.string().catch(''),
  content: z.string().catch(''),
  shared: flag,
  disk: number,
  maxdisk: number
})

/** A guest before it is known which configured host owns its node. */
type GuestFacts = Omit<GuestView, 'host' | 'cluster' | 'name'> & { readonly name: string | null }
type StorageFacts = Omit<StorageView, 'host'>

export interface ClusterFacts {
  readonly nodes: readonly NodeFacts[]
  readonly guests: readonly GuestFacts[]
  readonly storages: readonly StorageFacts[]
}

const parts = (text: string): string[] => text.split(/[;,\s]+/).filter((part) => part !== '')

/** Reads the answer of `/cluster/resources`; null when it is not a list. */
export function readResources(answer: unknown): ClusterFacts | null {
  if (!Array.isArray(answer)) return null
  const nodes: NodeFacts[] = []
  const guests: GuestFacts[] = []
  const storages: StorageFacts[] = []
  for (const entry of answer as unknown[]) {
    const guest = guestEntry.safeParse(entry)
    if (guest.success) {
      const { data } = guest
      guests.push({
        kind: data.type === 'lxc' ? 'lxc' : 'vm',
        vmid: data.vmid,
        name: data.name ?? null,
        node: data.node,
        status: data.status,
        cpu: data.cpu,
        cpus: data.maxcpu,
        memory: data.mem,
        maxMemory: data.maxmem,
        disk: data.disk,
        maxDisk: data.maxdisk,
        uptime: data.uptime,
        tags: parts(data.tags),
        lock: data.lock,
        template: data.template
      })
      continue
    }
    const node = nodeEntry.safeParse(entry)
    if (node.success) {
      nodes.push(node.data)
      continue
    }
    const storage = storageEntry.safeParse(entry)
    if (storage.success)
      storages.push({
        name: storage.data.storage,
        node: storage.data.node,
        type: storage.data.plugintype,
        content: parts(storage.data.content).sort(),
        active: storage.data.status === 'available',
        shared: storage.data.shared,
        used: storage.data.disk,
        total: storage.data.maxdisk
      })
  }
  return { nodes, guests, storages }
}

const statusEntry = z.union([
  z.object({ type: z.literal('cluster'), name: word }),
  z.object({ type: z.literal('node'), name: word, local: flag })
])

/** Reads `/cluster/status`: the node that answered and its cluster (null for a node by itself); null when unreadable. */
export function readClusterStatus(answer: unknown): { node: string; cluster: string | null } | null {
  if (!Array.isArray(answer)) return null
  let node: string | null = null
  let cluster: string | null = null
  for (const entry of answer as unknown[]) {
    const parsed = statusEntry.safeParse(entry)
    if (!parsed.success) continue
    if (parsed.data.type === 'cluster') cluster = parsed.data.name
    else if (parsed.data.local) node = parsed.data.name
  }
  return node === null ? null : { node, cluster }
}

/** Reads `/version`; null when it cannot be read. */
export function readVersion(answer: unknown): string | null {
  const parsed = z.object({ version: word }).safeParse(answer)
  return parsed.success ? parsed.data.version : null
}
