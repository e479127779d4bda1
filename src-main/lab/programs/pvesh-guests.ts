import { guestsOn, nameOf, usageOf } from '../world/look'
import type { Guest, Node } from '../world/types'
import type { Call } from '../shell/program'

/** Fields that every listing of guests shares. */
function common(call: Call, guest: Guest) {
  const usage = usageOf(guest, call.now())
  const traffic = usage.uptime * 900
  return {
    name: nameOf(guest),
    status: guest.status,
    uptime: usage.uptime,
    mem: usage.memory,
    maxmem: usage.maxMemory,
    disk: usage.disk,
    maxdisk: usage.maxDisk,
    netin: traffic * 3,
    netout: traffic,
    diskread: traffic * 2,
    diskwrite: traffic,
    ...(guest.lock !== null && { lock: guest.lock }),
    ...(guest.config['tags'] && { tags: guest.config['tags'] })
  }
}

/** A row of `/cluster/resources`. */
export const resourceOf = (call: Call, guest: Guest): Record<string, unknown> => {
  const usage = usageOf(guest, call.now())
  return {
    ...common(call, guest),
    id: `${guest.kind === 'lxc' ? 'lxc' : 'qemu'}/${guest.vmid}`,
    type: guest.kind === 'lxc' ? 'lxc' : 'qemu',
    node: guest.node,
    vmid: guest.vmid,
    cpu: usage.cpu,
    maxcpu: usage.cores,
    template: Number(guest.template),
    ...(guest.kind === 'vm' && { memhost: Math.round(usage.memory * 1.05) })
  }
}

/** `/nodes/N/lxc`: the CPU is 0 when asked from the command line, which has only one sample. */
export const listed = (call: Call, node: Node, kind: Guest['kind']): Record<string, unknown>[] =>
  guestsOn(call.world, node.name, kind).map((guest) => ({
    ...common(call, guest),
    ...swapOf(guest),
    vmid: guest.vmid,
    cpu: 0,
    cpus: Number(guest.config['cores'] ?? 1),
    ...(guest.pid !== null && { pid: guest.pid }),
    ...(guest.template && { template: 1 }),
    ...(kind === 'lxc' && { type: 'lxc' })
  }))

const swapOf = (guest: Guest) =>
  guest.kind === 'lxc' ? { swap: 0, maxswap: Number(guest.config['swap'] ?? 512) * 1024 ** 2 } : {}

export function currentOf(call: Call, guest: Guest): Record<string, unknown> {
  const usage = usageOf(guest, call.now())
  return {
    ...common(call, guest),
    ...swapOf(guest),
    vmid: guest.kind === 'vm' ? guest.vmid : String(guest.vmid),
    cpu: usage.cpu,
    cpus: usage.cores,
    ha: { managed: 0 },
    ...(guest.pid !== null && { pid: guest.pid }),
    ...(guest.template && { template: 1 }),
    ...(guest.kind === 'vm' ? { qmpstatus: guest.status } : { type: 'lxc' })
  }
}

const hwaddrOf = (guest: Guest) =>
  (/hwaddr=([^,]+)|virtio=([^,]+)/.exec(guest.config['net0'] ?? '')?.[0].split('=')[1] ?? '').toLowerCase()

export function interfacesOf(guest: Guest): Record<string, unknown>[] {
  const loopback = {
    name: 'lo',
    hwaddr: '00:00:00:00:00:00',
    'hardware-address': '00:00:00:00:00:00',
    inet: '127.0.0.1/8',
    inet6: '::1/128',
    'ip-addresses': [{ 'ip-address': '127.0.0.1', 'ip-address-type': 'inet', prefix: '8' }]
  }
  if (!guest.config['net0']) return [loopback]
  return [
    loopback,
    {
      name: 'eth0',
      hwaddr: hwaddrOf(guest),
      'hardware-address': hwaddrOf(guest),
      inet: `${guest.address}/24`,
      'ip-addresses': [{ 'ip-address': guest.address, 'ip-address-type': 'inet', prefix: '24' }]
    }
  ]
}

export const agentInterfaces = (guest: Guest): Record<string, unknown> => ({
  result: [
    {
      name: 'enp0s18',
      'hardware-address': hwaddrOf(guest),
      'ip-addresses': [{ 'ip-address': guest.address, 'ip-address-type': 'ipv4', prefix: 24 }]
    }
  ]
})

export const snapshotsOf = (guest: Guest): Record<string, unknown>[] => [
  ...guest.snapshots.map((s) => ({
    name: s.name,
    description: s.description,
    snaptime: Math.floor(s.at / 1000),
    ...(s.memory !== null && { vmstate: 1 }),
    ...(s.parent !== null && { parent: s.parent })
  })),
  {
    name: 'current',
    description: 'You are here!',
    running: Number(guest.status === 'running'),
    digest: '0',
    ...(guest.snapshots.length > 0 && { parent: guest.snapshots.at(-1)?.name })
  }
]
