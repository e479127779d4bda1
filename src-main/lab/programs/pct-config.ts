import { configText } from '../world/guest-config'
import { diskOf, guestsOn, nameOf, sizeInBytes, usageOf, usedOf } from '../world/look'
import type { Guest } from '../world/types'
import { type Call, die, nodeOf } from '../shell/program'
import { pveArguments } from './options'
import { asTask, lockText } from './pve-task'

/** `pct list`: nothing at all when there are no containers; otherwise `%-10s %-10s %-12s %-20s`. */
export function list(call: Call): number {
  call.wait(300)
  const guests = guestsOn(call.world, nodeOf(call.machine) ?? '', 'lxc')
  if (guests.length === 0) return 0
  const row = (...cells: string[]) =>
    `${cells.map((cell, i) => cell.padEnd([10, 10, 12, 20][i] ?? 0)).join(' ')}\n`
  call.out(row('VMID', 'Status', 'Lock', 'Name'))
  for (const guest of guests) call.out(row(String(guest.vmid), guest.status, guest.lock ?? '', nameOf(guest)))
  return 0
}

export function status(call: Call, guest: Guest, args: readonly string[]): number {
  call.wait(200)
  if (!args.some((arg) => /^--?verbose/.test(arg))) {
    call.out(`status: ${guest.status}\n`)
    return 0
  }
  const usage = usageOf(guest, call.now())
  const fields: Readonly<Record<string, string | number | null>> = {
    cpus: usage.cores,
    disk: usage.disk,
    lock: guest.lock,
    maxdisk: usage.maxDisk,
    maxmem: usage.maxMemory,
    mem: usage.memory,
    name: nameOf(guest),
    pid: guest.pid,
    status: guest.status,
    tags: guest.config['tags'] ?? null,
    type: 'lxc',
    uptime: usage.uptime,
    vmid: guest.vmid
  }
  for (const [key, value] of Object.entries(fields)) if (value !== null) call.out(`${key}: ${value}\n`)
  return 0
}

export function config(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['current', 'snapshot'], 0)
  if (!parsed.ok) return die(call, parsed.text)
  call.wait(200)
  const name = parsed.set['snapshot']
  if (name === undefined) {
    call.out(guest.lock === null ? configText(guest) : `lock: ${guest.lock}\n${configText(guest)}`)
    return 0
  }
  const snapshot = guest.snapshots.find((s) => s.name === name)
  if (!snapshot) return die(call, `snapshot '${name}' does not exist`)
  const memory: Record<string, string> = snapshot.memory === null ? {} : { vmstate: snapshot.memory }
  call.out(configText({ ...guest, config: { ...snapshot.config, ...memory } }))
  return 0
}

const settable =
  /^(hostname|cores|cpulimit|cpuunits|memory|swap|rootfs|mp\d+|net\d+|features|onboot|startup|protection|tags|timezone|nameserver|searchdomain|ostype|arch|description|console|tty|cmode|hookscript|delete|revert|digest|unprivileged|lock|debug)$/

export function set(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, settable, 0)
  if (!parsed.ok) return die(call, parsed.text)
  const { delete: gone, digest: _digest, revert: _revert, ...values } = parsed.set
  const removed = gone?.split(/[,;]/).filter(Boolean) ?? []
  if (Object.keys(values).length === 0 && removed.length === 0) return die(call, 'no options specified')
  if (values['unprivileged'] !== undefined)
    return die(call, "unable to modify read-only option: 'unprivileged'")
  if (
    values['hostname'] !== undefined &&
    !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(values['hostname'])
  ) {
    return die(
      call,
      '400 Parameter verification failed.\nhostname: invalid format - value does not look like a valid DNS name'
    )
  }
  for (const [name, min] of [
    ['memory', 16],
    ['cores', 1],
    ['swap', 0]
  ] as const) {
    const value = values[name]
    if (value !== undefined && !(Number(value) >= min))
      return die(
        call,
        `400 Parameter verification failed.\n${name}: value must have a minimum value of ${min}`
      )
  }
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  call.wait(400)
  for (const name of removed.filter((key) => !(key in guest.config)))
    call.err(`cannot delete '${name}' - not set in current configuration!\n`)
  const description = values['description']
  const kept =
    description === undefined ? values : { ...values, description: `${encodeURIComponent(description)}%0A` }
  call.change({ do: 'guest.config', vmid: guest.vmid, set: kept, remove: removed })
  return 0
}

/** `pct resize VMID DISK SIZE`: ends with 0 even when the task fails (pct.pm has no `$upid_exit` here). */
export function resize(call: Call, guest: Guest, args: readonly string[]): number {
  const [disk = '', size = ''] = args
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  const volume = guest.config[disk]
  if (!/^\+?\d+(\.\d+)?[KMGT]?$/.test(size))
    return die(call, '400 Parameter verification failed.\nsize: invalid size string')
  if (volume === undefined) return die(call, `disk '${disk}' does not exist`)
  const before = sizeInBytes(/size=([^,]+)/.exec(volume)?.[1] ?? '') ?? diskOf(guest)
  const given = sizeInBytes(size.replace(/^\+/, '')) ?? 0
  const wanted = size.startsWith('+') ? before + given : given
  if (wanted < before) return die(call, 'unable to shrink disk size')
  if (wanted === before) return die(call, 'disk is already at specified size')
  asTask(call, 'resize', guest.vmid, (task) => {
    const node = task.world.nodes[guest.node]
    const storage = node?.storages[volume.split(':')[0] ?? '']
    task.wait(900)
    if (node && storage && wanted - before > storage.total - usedOf(task.world, node, storage)) {
      return `command '/sbin/lvextend -L ${Math.round(wanted / 1024)}k /dev/pve/vm-${guest.vmid}-disk-0' failed: exit code 5`
    }
    task.out(
      `  Size of logical volume pve/vm-${guest.vmid}-disk-0 changed from ${(before / 1024 ** 3).toFixed(2)} GiB to ${(wanted / 1024 ** 3).toFixed(2)} GiB.\n`
    )
    task.out(
      `  Logical volume pve/vm-${guest.vmid}-disk-0 successfully resized.\nresize2fs 1.47.2 (1-Jan-2025)\n`
    )
    const text = volume.replace(/size=[^,]+/, `size=${Math.round((wanted / 1024 ** 3) * 100) / 100}G`)
    task.change({ do: 'guest.config', vmid: guest.vmid, set: { [disk]: text }, remove: [] })
    return null
  })
  return 0
}

export function clone(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(
    args,
    ['hostname', 'full', 'storage', 'snapname', 'target', 'pool', 'description', 'bwlimit'],
    1
  )
  if (!parsed.ok) return die(call, parsed.text)
  const id = parsed.positional[0] ?? ''
  if (!/^\d{3,9}$/.test(id))
    return die(
      call,
      '400 Parameter verification failed.\nnewid: invalid format - value does not look like a valid VM ID'
    )
  const taken = call.world.guests[id]
  if (taken) return die(call, `unable to create CT ${id}: config file already exists`)
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (guest.status === 'running' && parsed.set['snapname'] === undefined) {
    return die(
      call,
      'Full clone of a running container is only possible from a snapshot or if all volumes are on shared storage'
    )
  }
  if (parsed.set['target'] !== undefined && parsed.set['target'] !== guest.node) {
    return die(call, `can't clone CT to node '${parsed.set['target']}' (CT uses local storage)`)
  }
  const inside = call.world.machines[`lxc:${guest.vmid}`]
  const hostname = parsed.set['hostname'] ?? `Copy-of-CT-${nameOf(guest)}`
  return asTask(call, 'vzclone', guest.vmid, (task) => {
    task.wait(400)
    task.out(
      `create ${guest.template && parsed.set['full'] !== '1' ? 'linked' : 'full'} clone of mountpoint rootfs (${(guest.config['rootfs'] ?? '').split(',')[0] ?? ''})\n`
    )
    const { template: _template, ...config } = guest.config
    const copy: Guest = {
      ...structuredClone(guest),
      vmid: Number(id),
      status: 'stopped',
      startedAt: null,
      pid: null,
      template: false,
      snapshots: [],
      watchdog: false,
      address: `192.168.1.${Number(id) % 256}`,
      config: {
        ...config,
        hostname,
        rootfs: (guest.config['rootfs'] ?? '').replace(/(vm|base)-\d+-disk/, `vm-${id}-disk`)
      }
    }
    task.wait(1600)
    task.out(`  Logical volume "vm-${id}-disk-0" created.\n`)
    task.change({
      do: 'guest.add',
      guest: copy,
      machine: inside ? { ...structuredClone(inside), id: `lxc:${id}`, hostname } : null
    })
    return null
  })
}

export function pctTemplate(call: Call, guest: Guest): number {
  if (guest.status === 'running') return die(call, "you can't convert a running container to a template")
  call.wait(600)
  call.change({ do: 'guest.set', vmid: guest.vmid, set: { template: true } })
  call.change({ do: 'guest.config', vmid: guest.vmid, set: { template: '1' }, remove: [] })
  return 0
}

export function df(call: Call, guest: Guest): number {
  call.wait(300)
  const total = diskOf(guest)
  const gib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)}G`
  const [volume = ''] = (guest.config['rootfs'] ?? '').split(',')
  call.out('MP     Volume                  Size Used Avail Use% Path\n')
  call.out(
    `rootfs ${volume.padEnd(23)} ${gib(total)} ${gib(guest.diskUsed)} ${gib(total - guest.diskUsed)} ${(guest.diskUsed / total).toFixed(1)} /\n`
  )
  return 0
}
