import type { Guest } from '../world/types'
import { type Call, die } from '../shell/program'
import { pveArguments } from './options'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'

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
  return locked(call, guest, 'vzsnapshot', 'snapshot', (task) => {
    task.wait(900)
    task.out(`  Logical volume "snap_vm-${guest.vmid}-disk-0_${name}" created.\n`)
    task.change({
      do: 'snapshot.add',
      vmid: guest.vmid,
      name,
      description: parsed.set['description'] ?? '',
      at: task.now()
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
  return locked(call, guest, 'vzdelsnapshot', 'snapshot-delete', (task) => {
    task.wait(700)
    task.out(`  Logical volume "snap_vm-${guest.vmid}-disk-0_${name}" successfully removed.\n`)
    task.change({ do: 'snapshot.remove', vmid: guest.vmid, name })
  })
}

/** Rolling back stops a running container and leaves it stopped unless `--start 1`. */
export function rollback(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['start'], 1)
  if (!parsed.ok) return die(call, parsed.text)
  const name = parsed.positional[0] ?? ''
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (!guest.snapshots.some((s) => s.name === name)) return die(call, `snapshot '${name}' does not exist`)
  return locked(call, guest, 'vzrollback', 'rollback', (task) => {
    if (guest.status === 'running') stopGuest(task, guest.vmid)
    task.wait(1100)
    task.out(
      `  Logical volume "vm-${guest.vmid}-disk-0" successfully removed.\n  Logical volume "vm-${guest.vmid}-disk-0" created.\n`
    )
    task.change({ do: 'snapshot.rollback', vmid: guest.vmid, name })
    if (parsed.set['start'] === '1') startGuest(task, guest.vmid)
  })
}

function locked(call: Call, guest: Guest, type: string, lock: string, work: (task: Call) => void): number {
  const unlock = { do: 'guest.set', vmid: guest.vmid, set: { lock: null } } as const
  return asTask(
    call,
    type,
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
