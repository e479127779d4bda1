import { guestsOn, nodeUsage, templateBytes, usedOf, volumesOf } from '../world/look'
import type { Node, Storage } from '../world/types'
import { type Call, nodeOf } from '../shell/program'
import { resourceOf } from './pvesh-guests'

const gib = 1024 ** 3
export const pveVersion = '9.0.3'

export const versionOf = () => ({ release: '9.0', repoid: '025864202ebb6109', version: pveVersion })

/** `/cluster/resources`: nodes, guests and storages of the whole cluster in one call. */
export function resources(call: Call): Record<string, unknown>[] {
  const guests = Object.values(call.world.guests).map((guest) => resourceOf(call, guest))
  const nodes = Object.values(call.world.nodes).map((node) => {
    const usage = nodeUsage(call.world, node, call.now())
    const root = node.storages['local']
    return {
      id: `node/${node.name}`,
      type: 'node',
      node: node.name,
      status: 'online',
      cpu: usage.cpu,
      maxcpu: node.cpus,
      mem: usage.memory,
      maxmem: node.memory,
      disk: root ? usedOf(call.world, node, root) : 0,
      maxdisk: root?.total ?? 0,
      uptime: usage.uptime,
      level: '',
      'cgroup-mode': 2,
      'host-arch': 'x86_64'
    }
  })
  const storages = Object.values(call.world.nodes).flatMap((node) =>
    Object.values(node.storages).map((storage) => ({
      id: `storage/${node.name}/${storage.name}`,
      type: 'storage',
      node: node.name,
      storage: storage.name,
      plugintype: storage.type,
      content: storage.content.join(','),
      shared: 0,
      status: 'available',
      disk: usedOf(call.world, node, storage),
      maxdisk: storage.total
    }))
  )
  return [...guests, ...nodes, ...storages]
}

export function clusterStatus(call: Call): Record<string, unknown>[] {
  const nodes = Object.values(call.world.nodes)
  return [
    { id: 'cluster', type: 'cluster', name: call.world.cluster, nodes: nodes.length, quorate: 1, version: 2 },
    ...nodes.map((node, index) => ({
      id: `node/${node.name}`,
      type: 'node',
      name: node.name,
      nodeid: index + 1,
      ip: node.address,
      online: 1,
      local: Number(node.name === nodeOf(call.machine)),
      level: ''
    }))
  ]
}

export function nodeStatus(call: Call, node: Node): Record<string, unknown> {
  const usage = nodeUsage(call.world, node, call.now())
  const root = node.storages['local']
  const used = root ? usedOf(call.world, node, root) : 0
  const load = (usage.cpu * node.cpus).toFixed(2)
  return {
    uptime: usage.uptime,
    cpu: usage.cpu,
    wait: 0.002,
    loadavg: [load, load, load],
    cpuinfo: {
      model: node.cpuModel,
      cpus: node.cpus,
      cores: Math.ceil(node.cpus / 2),
      sockets: 1,
      mhz: '3800.000'
    },
    memory: {
      total: node.memory,
      used: usage.memory,
      free: node.memory - usage.memory,
      available: node.memory - usage.memory
    },
    swap: { total: 8 * gib, used: 0, free: 8 * gib },
    rootfs: {
      total: root?.total ?? 0,
      used,
      free: (root?.total ?? 0) - used,
      avail: (root?.total ?? 0) - used
    },
    pveversion: `pve-manager/${pveVersion}/025864202ebb6109`,
    kversion: 'Linux 6.14.8-2-pve #1 SMP PREEMPT_DYNAMIC PMX 6.14.8-2',
    'current-kernel': {
      release: '6.14.8-2-pve',
      sysname: 'Linux',
      machine: 'x86_64',
      version: '#1 SMP PREEMPT_DYNAMIC PMX 6.14.8-2'
    }
  }
}

export const storagesOf = (call: Call, node: Node) =>
  Object.values(node.storages).map((storage) => {
    const used = usedOf(call.world, node, storage)
    return {
      storage: storage.name,
      type: storage.type,
      content: storage.content.join(','),
      active: 1,
      enabled: 1,
      shared: 0,
      total: storage.total,
      used,
      avail: storage.total - used,
      used_fraction: used / storage.total
    }
  })

/** What lies on a storage: templates, and the volumes of guests. */
export function storageContent(call: Call, node: Node, storage: Storage) {
  const templates = storage.templates.map((name) => ({
    volid: `${storage.name}:vztmpl/${name}`,
    content: 'vztmpl',
    format: name.endsWith('.zst') ? 'tzst' : 'txz',
    size: templateBytes(name),
    ctime: Math.floor(node.bootedAt / 1000)
  }))
  const volumes = guestsOn(call.world, node.name).flatMap((guest) =>
    volumesOf(guest)
      .filter((volume) => volume.storage === storage.name)
      .map((volume) => ({
        volid: `${storage.name}:${volume.name}`,
        content: guest.kind === 'lxc' ? 'rootdir' : 'images',
        format: 'raw',
        size: volume.bytes,
        vmid: guest.vmid,
        ctime: Math.floor(node.bootedAt / 1000)
      }))
  )
  const backups = storage.content.includes('backup') ? backupsOf(call, node, storage) : []
  return [...templates, ...backups, ...volumes]
}

/** Last night's vzdump of each container of the node; what they take is in the storage's base. */
function backupsOf(call: Call, node: Node, storage: Storage) {
  const night = Math.floor(call.now() / 864e5) * 864e5 - 22 * 36e5
  const iso = new Date(night).toISOString()
  const stamp = `${iso.slice(0, 10).replaceAll('-', '_')}-${iso.slice(11, 19).replaceAll(':', '_')}`
  return guestsOn(call.world, node.name, 'lxc')
    .filter((guest) => guest.startedAt !== null && guest.startedAt < night)
    .map((guest) => ({
      volid: `${storage.name}:backup/vzdump-lxc-${guest.vmid}-${stamp}.tar.zst`,
      content: 'backup',
      format: 'tar.zst',
      size: Math.round(guest.diskUsed * 0.38),
      vmid: guest.vmid,
      ctime: Math.floor(night / 1000)
    }))
}

/** Latest tasks first; `--limit`, `--vmid` and `--errors` as in the API. */
export function tasksOf(
  call: Call,
  node: Node,
  set: Readonly<Record<string, string>>
): Record<string, unknown>[] {
  const tasks = call.world.tasks.filter(
    (task) =>
      task.node === node.name &&
      (set['vmid'] === undefined || String(task.vmid) === set['vmid']) &&
      (set['errors'] !== '1' || (task.status !== null && task.status !== 'OK'))
  )
  return tasks
    .reverse()
    .slice(0, Number(set['limit'] ?? 50))
    .map((task) => ({
      upid: task.upid,
      node: task.node,
      pid: task.pid,
      pstart: Math.floor(task.startedAt / 10) % 100_000_000,
      starttime: Math.floor(task.startedAt / 1000),
      type: task.type,
      id: String(task.vmid),
      user: 'root@pam',
      ...(task.endedAt !== null && { endtime: Math.floor(task.endedAt / 1000), status: task.status })
    }))
}

export function taskOf(
  call: Call,
  upid: string,
  part: string | undefined
): { data: unknown } | { error: string } | undefined {
  const task = call.world.tasks.find((t) => t.upid === upid)
  if (!task) return { error: `no such task '${upid}'` }
  const running = task.endedAt === null
  if (part === 'status') {
    return {
      data: {
        upid,
        node: task.node,
        type: task.type,
        id: String(task.vmid),
        user: 'root@pam',
        pid: task.pid,
        starttime: Math.floor(task.startedAt / 1000),
        status: running ? 'running' : 'stopped',
        ...(!running && { exitstatus: task.status })
      }
    }
  }
  if (part !== 'log') return undefined
  const last = running ? [] : [task.status === 'OK' ? 'TASK OK' : `TASK ERROR: ${task.status ?? ''}`]
  return { data: [...task.log, ...last].map((t, index) => ({ n: index + 1, t })) }
}
