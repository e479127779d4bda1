import { own } from '../world/own'
import { nextId, sizeInBytes, usedOf } from '../world/look'
import { machine } from '../world/machines'
import { service } from '../world/services'
import type { Guest, Node, World } from '../world/types'
import { type Call, die, nodeOf } from '../shell/program'
import { pveArguments } from './options'
import { asTask, startGuest } from './pve-task'

const known =
  /^(hostname|cores|cpulimit|cpuunits|memory|swap|rootfs|storage|mp\d+|net\d+|unprivileged|features|onboot|startup|protection|tags|timezone|nameserver|searchdomain|ostype|arch|description|pool|password|ssh-public-keys|start|force|restore|unique|ignore-unpack-errors|bwlimit|ha-managed|console|tty|cmode|entrypoint|env|hookscript|debug|template|lock)$/

const gib = 1024 ** 3

/** `pct create VMID TEMPLATE [OPTIONS]`: checks, disk, unpacking, keys; about 8 seconds at pace 1. */
export function create(call: Call, args: readonly string[]): number {
  const parsed = pveArguments(args, known, 2)
  if (!parsed.ok) return die(call, parsed.text)
  const [id = '', template = ''] = parsed.positional
  const { set } = parsed
  const node = call.world.nodes[nodeOf(call.machine) ?? '']
  if (!node) return 255
  const wrong = invalidParameter(id, set)
  if (wrong !== null)
    return die(call, `400 Parameter verification failed.\n${wrong}\npct create <vmid> <ostemplate> [OPTIONS]`)
  const taken = call.world.guests[id]
  if (taken)
    return die(call, `${taken.kind === 'vm' ? 'VM' : 'CT'} ${id} already exists on node '${taken.node}'`)
  const disk = diskFor(set)
  const vmid = Number(id)
  const refusal = refusalOf(call.world, node, template, disk)
  if (refusal !== null)
    return die(
      call,
      refusal.startsWith('volume') ? refusal : `400 Parameter verification failed.\n${refusal}`
    )
  const guest = newGuest(call, node, vmid, template, disk, set)
  return asTask(call, 'vzcreate', vmid, (task) => build(task, guest, node, template, disk, set), {
    text: `unable to create CT ${id} - interrupted by signal\n`,
    changes: [{ do: 'guest.remove', vmid }]
  })
}

const dnsName =
  /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** What pve-common's parameter check says about the first wrong field, or null. */
function invalidParameter(id: string, set: Readonly<Record<string, string>>): string | null {
  if (!/^\d+$/.test(id) || Number(id) < 100 || Number(id) > 999_999_999) {
    return 'vmid: invalid format - value does not look like a valid VM ID'
  }
  if (set['hostname'] !== undefined && !dnsName.test(set['hostname'])) {
    return 'hostname: invalid format - value does not look like a valid DNS name'
  }
  for (const [name, min, max] of [
    ['memory', 16, Infinity],
    ['cores', 1, 8192],
    ['swap', 0, Infinity]
  ] as const) {
    const value = set[name]
    if (value === undefined) continue
    if (!/^\d+$/.test(value)) return `${name}: type check ('integer') failed - got '${value}'`
    if (Number(value) < min) return `${name}: value must have a minimum value of ${min}`
    if (Number(value) > max) return `${name}: value must have a maximum value of ${max}`
  }
  if (set['net0'] !== undefined && !/(^|,)name=/.test(set['net0']))
    return 'net0: invalid format - format error\nnet0.name: property is missing and it is not optional'
  return null
}

interface Disk {
  readonly storage: string
  readonly size: string
}

function diskFor(set: Readonly<Record<string, string>>): Disk {
  const rootfs = set['rootfs']
  if (rootfs === undefined) return { storage: set['storage'] ?? 'local', size: '4' }
  const [volume = ''] = rootfs.replace(/^volume=/, '').split(',')
  if (/^\d+(\.\d+)?$/.test(volume)) return { storage: set['storage'] ?? 'local', size: volume }
  const [storage = '', size = ''] = volume.split(':')
  return { storage, size }
}

/** Why storage or template will not do; `name: reason` lines are parameter errors. */
function refusalOf(world: World, node: Node, template: string, disk: Disk): string | null {
  const from = /^([A-Za-z0-9-]+):(.+)$/.exec(template)
  if (!from) return "ostemplate: invalid format - unable to parse volume ID '" + template + "'"
  const source = own(node.storages, from[1] ?? '')
  if (!source) return `ostemplate: storage '${from[1] ?? ''}' does not exist`
  const name = /^vztmpl\/([^/]+)$/.exec(from[2] ?? '')?.[1]
  if (!name) return `ostemplate: unable to parse directory volume name '${from[2] ?? ''}'`
  const target = own(node.storages, disk.storage)
  if (!target) {
    const elsewhere = Object.values(world.nodes).some((other) => own(other.storages, disk.storage))
    return `storage: storage '${disk.storage}' ${elsewhere ? `is not available on node '${node.name}'` : 'does not exist'}`
  }
  if (!target.content.includes('rootdir'))
    return `storage: storage '${disk.storage}' does not support container directories`
  if (!/^\d+(\.\d+)?$/.test(disk.size))
    return `rootfs: invalid format - format error\nrootfs.volume: unable to parse lvm volume name '${disk.size}'`
  if (!source.templates.includes(name)) return `volume '${template}' does not exist`
  return null
}

/** `key=value` pairs with a MAC address where none was given. */
function withAddress(net: string, number: number): string {
  const hwaddr = `BC:24:11:${[16, 8, 0].map((s) => ((number >> s) & 255).toString(16).toUpperCase().padStart(2, '0')).join(':')}`
  const pairs = net.split(',').filter(Boolean)
  const all = [
    ...pairs,
    ...(pairs.some((p) => p.startsWith('hwaddr=')) ? [] : [`hwaddr=${hwaddr}`]),
    ...(pairs.some((p) => p.startsWith('type=')) ? [] : ['type=veth'])
  ]
  const rank = (pair: string) => (pair.startsWith('name=') ? `0` : pair)
  return all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).join(',')
}

const notKept = new Set([
  'storage',
  'rootfs',
  'start',
  'force',
  'restore',
  'unique',
  'ignore-unpack-errors',
  'bwlimit',
  'password',
  'ssh-public-keys',
  'pool',
  'ha-managed',
  'template'
])

function newGuest(
  call: Call,
  node: Node,
  vmid: number,
  template: string,
  disk: Disk,
  set: Readonly<Record<string, string>>
): Guest {
  const number = call.recording.number()
  const kept = Object.fromEntries(Object.entries(set).filter(([key]) => !notKept.has(key)))
  const nets = Object.fromEntries(
    Object.entries(kept)
      .filter(([key]) => /^net\d+$/.test(key))
      .map(([key, value]) => [key, withAddress(value, number)])
  )
  const fixed = /(?:^|,)ip=(\d+\.\d+\.\d+\.\d+)/.exec(set['net0'] ?? '')?.[1]
  return {
    vmid,
    kind: 'lxc',
    node: node.name,
    status: 'stopped',
    startedAt: null,
    pid: null,
    lock: 'create',
    template: false,
    config: {
      arch: 'amd64',
      memory: '512',
      swap: '512',
      unprivileged: '1',
      hostname: `CT${vmid}`,
      ostype: /vztmpl\/([a-z]+)/.exec(template)?.[1] ?? 'unmanaged',
      ...kept,
      ...nets,
      ...(kept['description'] && { description: encodeURIComponent(kept['description']) }),
      rootfs: `${disk.storage}:vm-${vmid}-disk-0,size=${disk.size}G`
    },
    snapshots: [],
    cpuBase: 0.02,
    memoryBase: 0.14,
    diskUsed: Math.round(0.62 * gib),
    address: fixed ?? freeAddress(call.world, vmid),
    watchdog: false
  }
}

function freeAddress(world: World, vmid: number): string {
  const taken = new Set(Object.values(world.guests).map((guest) => guest.address))
  const wanted = `192.168.1.${vmid % 256}`
  return taken.has(wanted) ? `192.168.1.${(nextId(world) % 90) + 150}` : wanted
}

const osOf = (template: string): string => {
  const match = /vztmpl\/([a-z]+)-(\d+(?:\.\d+)?)/.exec(template)
  return match ? `${match[1] ?? ''}-${match[2] ?? ''}` : 'debian-12'
}

/** The task itself: what it prints is what PVE prints for a thin pool. */
function build(
  call: Call,
  guest: Guest,
  node: Node,
  template: string,
  disk: Disk,
  set: Readonly<Record<string, string>>
): string | null {
  const { vmid } = guest
  const size = sizeInBytes(`${disk.size}G`) ?? 0
  const storage = node.storages[disk.storage]
  const free = storage ? storage.total - usedOf(call.world, node, storage) : 0
  call.wait(300)
  if (size > free) {
    return `unable to create CT ${vmid} - not enough free space (${Math.floor(free / 1024)} < ${Math.floor(size / 1024)})`
  }
  call.change({ do: 'guest.add', guest, machine: insideOf(call, guest, template) })
  call.wait(700)
  call.out(`  Logical volume "vm-${vmid}-disk-0" created.\n`)
  call.wait(300)
  call.out(
    `Creating filesystem with ${Math.floor(size / 4096)} 4k blocks and ${Math.floor(size / 16_384)} inodes\n`
  )
  call.out(
    'Filesystem UUID: 6f2d0c5e-5a0f-4a8e-9b1c-2f7f4a1e8d30\nSuperblock backups stored on blocks: \n\t32768, 98304, 163840, 229376, 294912, 819200, 884736, 1605632\n'
  )
  call.wait(900)
  call.out(`extracting archive '/var/lib/vz/template/cache/${template.split('/')[1] ?? ''}'\n`)
  call.wait(2600)
  call.out('Total bytes read: 521256960 (498MiB, 190MiB/s)\n')
  call.wait(300)
  call.out('Detected container architecture: amd64\n')
  for (const kind of ['rsa', 'ecdsa', 'ed25519']) {
    call.wait(kind === 'rsa' ? 1100 : 300)
    call.out(`Creating SSH host key 'ssh_host_${kind}_key' - this may take some time ...\n`)
    call.wait(kind === 'rsa' ? 700 : 150)
    call.out(`done: SHA256:${hostKeyPrint(vmid, kind)} root@${guest.config['hostname'] ?? ''}\n`)
  }
  call.wait(300)
  call.change({ do: 'guest.set', vmid, set: { lock: null } })
  if (set['start'] === '1') {
    call.wait(900)
    startGuest(call, vmid)
  }
  return null
}

const hostKeyPrint = (vmid: number, kind: string): string =>
  Buffer.from(`${kind}${vmid}`.padEnd(32, 'nomoslab')).toString('base64').slice(0, 43)

function insideOf(call: Call, guest: Guest, template: string) {
  const common = [
    service('cron.service', 'Regular background program processing daemon', {
      active: 'inactive',
      sub: 'dead',
      pid: null
    }),
    service('systemd-journald.service', 'Journal Service', { active: 'inactive', sub: 'dead', pid: null }),
    service('ssh.service', 'OpenBSD Secure Shell server', {
      active: 'inactive',
      sub: 'dead',
      pid: null,
      ports: [22]
    })
  ]
  return machine(`lxc:${guest.vmid}`, guest.config['hostname'] ?? '', osOf(template), call.now(), {
    services: common,
    fresh: true
  })
}
