import { own } from '../world/own'
import { configJson } from '../world/guest-config'
import { nextId } from '../world/look'
import type { Guest, Node } from '../world/types'
import { type Call, nodeOf } from '../shell/program'
import { available } from './templates'
import { agentInterfaces, currentOf, interfacesOf, listed, snapshotsOf } from './pvesh-guests'
import { guestMoment, history, nodeMoment } from './pvesh-history'
import {
  clusterStatus,
  nodeStatus,
  resources,
  storageContent,
  storagesOf,
  taskOf,
  tasksOf,
  versionOf
} from './pvesh-nodes'

export type Answer = { readonly data: unknown } | { readonly error: string }

type Set = Readonly<Record<string, string>>

/** What a path of the API answers; undefined when there is no such path. */
export function resourceAt(call: Call, parts: readonly string[], set: Set): Answer | undefined {
  const [top, second] = parts
  if (parts.length === 1 && top === 'version') return { data: versionOf() }
  if (parts.length === 1 && top === 'nodes')
    return { data: resources(call).filter((r) => r['type'] === 'node') }
  if (parts.length === 1 && top === 'storage')
    return {
      data: Object.values(firstNode(call).storages).map((s) => ({
        storage: s.name,
        type: s.type,
        content: s.content.join(',')
      }))
    }
  if (parts.length === 1 && top === 'pools') return { data: [] }
  if (top === 'cluster') return clusterAt(call, parts.slice(1), set)
  if (top !== 'nodes' || second === undefined) return undefined
  const node = own(call.world.nodes, second === 'localhost' ? (nodeOf(call.machine) ?? '') : second)
  if (!node)
    return {
      error: `hostname lookup '${second}' failed - failed to get address info for: ${second}: Name or service not known`
    }
  return nodeAt(call, node, parts.slice(2), set)
}

const firstNode = (call: Call): Node => {
  const node = Object.values(call.world.nodes)[0]
  if (!node) throw new Error('the simulated cluster has no node')
  return node
}

function clusterAt(call: Call, parts: readonly string[], set: Set): Answer | undefined {
  switch (parts.join('/')) {
    case 'resources': {
      const kinds: Readonly<Record<string, readonly string[]>> = {
        vm: ['lxc', 'qemu'],
        storage: ['storage'],
        node: ['node']
      }
      const wanted = set['type'] === undefined ? null : (own(kinds, set['type']) ?? [])
      return { data: resources(call).filter((r) => wanted === null || wanted.includes(String(r['type']))) }
    }
    case 'status':
      return { data: clusterStatus(call) }
    case 'nextid': {
      const wanted = set['vmid']
      if (wanted === undefined) return { data: String(nextId(call.world)) }
      if (own(call.world.guests, wanted))
        return { error: `400 Parameter verification failed.\nvmid: VM ${wanted} already exists` }
      return { data: wanted }
    }
    case 'tasks':
      return { data: Object.values(call.world.nodes).flatMap((node) => tasksOf(call, node, {})) }
    case 'ha/resources':
    case 'replication':
    case 'backup':
      return { data: [] }
    default:
      return undefined
  }
}

function nodeAt(call: Call, node: Node, parts: readonly string[], set: Set): Answer | undefined {
  const [top, second, third, fourth] = parts
  if (top === 'lxc' || top === 'qemu') return guestsAt(call, node, parts, set)
  if (top === 'storage' && second === undefined)
    return { data: storagesOf(call, node).filter((s) => holds(s.content, set['content'])) }
  if (top === 'storage' && second !== undefined) {
    const storage = own(node.storages, second)
    if (!storage) return { error: `storage '${second}' does not exist` }
    if (third === 'content')
      return {
        data: storageContent(call, node, storage).filter(
          (c) => set['content'] === undefined || c.content === set['content']
        )
      }
    if (third === 'status') return { data: storagesOf(call, node).find((s) => s.storage === second) }
    return undefined
  }
  if (top === 'tasks' && second !== undefined) return taskOf(call, second, third)
  if (top === 'apt' && second === 'update') {
    const upgrades = call.world.machines[`host:${node.name}`]?.upgrades ?? []
    return {
      data: upgrades.map((u) => ({ Package: u.name, OldVersion: u.from, Version: u.to, Origin: 'Debian' }))
    }
  }
  if (fourth !== undefined || second !== undefined) return undefined
  switch (top) {
    case 'tasks':
      return { data: tasksOf(call, node, set) }
    case 'status':
      return { data: nodeStatus(call, node) }
    case 'version':
      return { data: versionOf() }
    case 'rrddata':
      return history(set, call.now(), (at) => nodeMoment(call.world, node, at))
    case 'aplinfo':
      return {
        data: available.map((t) => ({
          template: t.name,
          section: t.section,
          os: t.os,
          type: 'lxc',
          package: t.name.split('_')[0]
        }))
      }
    case 'network':
      return {
        data: [
          {
            iface: 'vmbr0',
            type: 'bridge',
            active: 1,
            autostart: 1,
            method: 'static',
            address: node.address,
            netmask: '24',
            cidr: `${node.address}/24`,
            gateway: '192.168.1.1',
            bridge_ports: 'enp5s0'
          },
          { iface: 'enp5s0', type: 'eth', active: 1, exists: 1, method: 'manual' }
        ]
      }
    case 'dns':
      return { data: { search: 'hubris.network', dns1: '192.168.1.100' } }
    case 'services':
      return {
        data: Object.values(call.world.machines[`host:${node.name}`]?.services ?? {}).map((s) => ({
          name: s.unit.replace('.service', ''),
          service: s.unit.replace('.service', ''),
          desc: s.description,
          state: s.sub,
          'active-state': s.active
        }))
      }
    default:
      return undefined
  }
}

const holds = (content: string, wanted: string | undefined) =>
  wanted === undefined || content.split(',').includes(wanted)

function guestsAt(call: Call, node: Node, parts: readonly string[], set: Set): Answer | undefined {
  const kind: Guest['kind'] = parts[0] === 'lxc' ? 'lxc' : 'vm'
  const [, id, ...rest] = parts
  if (id === undefined) return { data: listed(call, node, kind) }
  const guest = own(call.world.guests, id)
  if (!guest || guest.kind !== kind || guest.node !== node.name) {
    return {
      error: `Configuration file 'nodes/${node.name}/${kind === 'lxc' ? 'lxc' : 'qemu-server'}/${id}.conf' does not exist`
    }
  }
  switch (rest.join('/')) {
    case 'status/current':
      return { data: currentOf(call, guest) }
    case 'config':
      return { data: configJson(guest) }
    case 'pending':
      return { data: Object.entries(configJson(guest)).map(([key, value]) => ({ key, value })) }
    case 'interfaces':
      return guest.status === 'running'
        ? { data: interfacesOf(guest) }
        : { error: `CT ${guest.vmid} not running` }
    case 'rrddata':
      return history(set, call.now(), (at) => guestMoment(guest, at))
    case 'snapshot':
      return { data: snapshotsOf(guest) }
    case 'agent/network-get-interfaces':
      return guest.config['agent'] === '1' && guest.status === 'running'
        ? { data: agentInterfaces(guest) }
        : { error: 'No QEMU guest agent configured' }
    default:
      return undefined
  }
}
