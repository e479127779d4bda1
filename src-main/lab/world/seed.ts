import { randomUUID } from 'node:crypto'
import { seedGuests } from './seed-guests'
import { machine } from './machines'
import { service } from './services'
import type { Node, Upgrade, World } from './types'

const gib = 1024 ** 3
const day = 24 * 3600_000

/** The template that is there from the start; the action registry finds it with `pveam list`. */
const localTemplates = [
  'debian-12-standard_12.7-1_amd64.tar.zst',
  'alpine-3.22-default_20250617_amd64.tar.xz'
]

const nodes = (now: number): Node[] => [
  {
    name: 'strong',
    address: '192.168.1.10',
    bootId: randomUUID(),
    bootedAt: now - 41 * day - 5_400_000,
    cpus: 16,
    memory: 64 * gib,
    cpuModel: 'AMD Ryzen 7 5700G with Radeon Graphics',
    cpuBase: 0.03,
    memoryBase: 0.06,
    storages: {
      local: {
        name: 'local',
        type: 'dir',
        content: ['backup', 'iso', 'vztmpl'],
        total: 94 * gib,
        base: 31 * gib,
        templates: [...localTemplates]
      },
      'local-lvm': {
        name: 'local-lvm',
        type: 'lvmthin',
        content: ['images', 'rootdir'],
        total: 794 * gib,
        base: 6 * gib,
        templates: []
      }
    }
  },
  {
    name: 'quiet',
    address: '192.168.1.11',
    bootId: randomUUID(),
    bootedAt: now - 12 * day - 1_200_000,
    cpus: 4,
    memory: 16 * gib,
    cpuModel: 'Intel(R) N100',
    cpuBase: 0.02,
    memoryBase: 0.11,
    storages: {
      local: {
        name: 'local',
        type: 'dir',
        content: ['backup', 'iso', 'vztmpl'],
        total: 68 * gib,
        base: 59 * gib,
        templates: ['debian-12-standard_12.7-1_amd64.tar.zst']
      },
      'local-lvm': {
        name: 'local-lvm',
        type: 'lvmthin',
        content: ['images', 'rootdir'],
        total: 141 * gib,
        base: 4 * gib,
        templates: []
      }
    }
  }
]

const nodeUpgrades: Upgrade[] = [
  { name: 'pve-manager', suite: 'stable', from: '9.0.3', to: '9.0.10' },
  { name: 'libpve-common-perl', suite: 'stable', from: '9.0.9', to: '9.0.11' },
  { name: 'openssl', suite: 'stable-security', from: '3.5.1-1', to: '3.5.1-1+deb13u1' }
]

const nodeServices = (at: number) =>
  [
    ['pvedaemon.service', 'PVE API Daemon'],
    ['pveproxy.service', 'PVE API Proxy Server'],
    ['pvestatd.service', 'PVE Status Daemon'],
    ['pve-cluster.service', 'The Proxmox VE cluster filesystem'],
    ['pve-firewall.service', 'Proxmox VE firewall'],
    ['corosync.service', 'Corosync Cluster Engine'],
    ['cron.service', 'Regular background program processing daemon'],
    ['ssh.service', 'OpenBSD Secure Shell server'],
    ['chrony.service', 'chrony, an NTP client/server']
  ].map(([unit = '', description = '']) => service(unit, description, { since: at, ports: portsOf(unit) }))

const portsOf = (unit: string) => (unit === 'pveproxy.service' ? [8006] : unit === 'ssh.service' ? [22] : [])

/** The cluster `homelab` as a new user meets it: two nodes, their guests, and a few things to find out. */
export function seedWorld(now: number): World {
  const world: World = {
    version: 1,
    cluster: 'homelab',
    nodes: {},
    guests: {},
    machines: {},
    tasks: [],
    scheduled: [],
    counter: 4200
  }
  for (const node of nodes(now)) {
    world.nodes[node.name] = node
    world.machines[`host:${node.name}`] = machine(
      `host:${node.name}`,
      node.name,
      'debian-13',
      node.bootedAt,
      {
        services: nodeServices(node.bootedAt),
        packages: [
          'pve-manager',
          'pve-container',
          'qemu-server',
          'lxc-pve',
          'curl',
          'wget',
          'netcat-openbsd',
          'ca-certificates'
        ],
        upgrades: node.name === 'strong' ? nodeUpgrades : nodeUpgrades.slice(2),
        files: {
          '/etc/pve/.version': '{"api":1}\n',
          '/var/lib/vz/template/cache/.keep': '',
          ...(node.name === 'quiet' && { '/run/reboot-required': '*** System restart required ***\n' })
        }
      }
    )
  }
  seedGuests(world, now)
  return world
}
