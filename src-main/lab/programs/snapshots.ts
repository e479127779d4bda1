import type { Guest } from '../world/types'
import { type Call, die } from '../shell/program'
import { pveArguments } from './options'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'

/** Snapshots of containers and virtual machines: `pct` and `qm` have the same verbs (pve-guest-common AbstractConfig.pm). */

/** A bind mount makes snapshots impossible. */
const hasBindMount = (guest: Guest) =>
  Object.entries(guest.config).some(([key, value]) => /^mp\d+$/.test(key) && value.startsWith('/'))

export function snapshot(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['description', 'vmstate'], 1)
  if (!parsed.ok) return die(call, parsed.text)
  const name = parsed.positional[0] ?? ''
  if (!/^[a-z][a-z0-9_-]{1,39}$/i.test(name)) {
    return die(
      call,
      "400 Parameter verification failed.\nsnapname: invalid format - invalid configuration ID '" + name + "'"
    )
  }
  if (name === 'current' || name === 'vzdump')
    return die(call, `unable to use snapshot name '${name}' (reserved name)`)
  if (guest.template) return die(call, "you can't take a snapshot if it's a template")
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (hasBindMount(guest)) return die(call, 'snapshot feature is not available')
  if (guest.snapshots.some((s) => s.name === name)) return die(call, `snapshot name '${name}' already used`)
  const withMemory = parsed.set['vmstate'] === '1' && guest.kind === 'vm' && guest.status === 'running'
  return locked(call, guest, 'snapshot', 'snapshot', (task) => {
    task.wait(guest.kind === 'vm' ? 1200 : 900)
    task.out(`  Logical volume "snap_vm-${guest.vmid}-disk-0_${name}" created.\n`)
    task.change({
      do: 'snapshot.add',
      vmid: guest.vmid,
      name,
      description: parsed.set['description'] ?? '',
      at: task.now(),
      memory: withMemory ? `local-lvm:vm-${guest.vmid}-state-${name}` : null
    })
  })
}

export function delsnapshot(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['force'], 1)
  if (!parsed.ok) return die(call, parsed.text)
  const name = parsed.positional[0] ?? ''
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (!guest.snapshots.some((s) => s.name === name)) return die(call, `snapshot '${name}' does not exist`)
  return locked(call, guest, 'delsnapshot', 'snapshot-delete', (task) => {
    task.wait(700)
    task.out(`  Logical volume "snap_vm-${guest.vmid}-disk-0_${name}" successfully removed.\n`)
    task.change({ do: 'snapshot.remove', vmid: guest.vmid, name })
  })
}

/**
 * Rolling back stops a running guest and leaves it stopped unless `--start 1` is given, or the snapshot holds the
 * memory of a virtual machine.
 */
export function rollback(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['start'], 1)
  if (!parsed.ok) return die(call, parsed.text)
  const name = parsed.positional[0] ?? ''
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  const found = guest.snapshots.find((s) => s.name === name)
  if (!found) return die(call, `snapshot '${name}' does not exist`)
  return locked(call, guest, 'rollback', 'rollback', (task) => {
    if (guest.status === 'running') stopGuest(task, guest.vmid)
    task.wait(1100)
    task.out(
      `  Logical volume "vm-${guest.vmid}-disk-0" successfully removed.\n  Logical volume "vm-${guest.vmid}-disk-0" created.\n`
    )
    task.change({ do: 'snapshot.rollback', vmid: guest.vmid, name })
    if (parsed.set['start'] === '1' || found.memory !== null) startGuest(task, guest.vmid)
  })
}

/** The tree that ends in `current  You are here!`. */
export function listsnapshot(call: Call, guest: Guest): number {
  call.wait(200)
  guest.snapshots.forEach((s, depth) => {
    const at = new Date(s.at).toISOString().slice(0, 19).replace('T', ' ')
    call.out(`${' '.repeat(depth)}\`-> ${s.name.padEnd(27 - depth)} ${at}     ${s.description.padEnd(20)}\n`)
  })
  const depth = guest.snapshots.length
  call.out(`${' '.repeat(depth)}\`-> ${'current'.padEnd(27 - depth)}                         You are here!\n`)
  return 0
}

function locked(call: Call, guest: Guest, verb: string, lock: string, work: (task: Call) => void): number {
  const unlock = { do: 'guest.set', vmid: guest.vmid, set: { lock: null } } as const
  return asTask(
    call,
    `${guest.kind === 'vm' ? 'qm' : 'vz'}${verb}`,
    guest.vmid,
    (task) => {
      task.change({ do: 'guest.set', vmid: guest.vmid, set: { lock } })
      work(task)
      task.change(unlock)
      return null
    },
    { text: 'received interrupt\n', changes: [unlock] }
  )
}
