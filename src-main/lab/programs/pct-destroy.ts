import { nameOf, volumesOf } from '../world/look'
import type { Guest } from '../world/types'
import { type Call, die } from '../shell/program'
import { pveArguments } from './options'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'

/**
 * `pct destroy VMID`. A guest with a watchdog has been started again by the time it is destroyed for the first time:
 * between the operator's look and the command something on the node brought it back.
 */
export function destroy(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['force', 'purge', 'destroy-unreferenced-disks'], 0)
  if (!parsed.ok) return die(call, parsed.text)
  const lock = lockText(guest)
  if (lock !== null && parsed.set['force'] !== '1') return die(call, lock)
  if (guest.config['protection'] === '1')
    return die(call, `can't remove CT ${guest.vmid} - protection mode enabled`)
  if (guest.status === 'stopped' && guest.watchdog) broughtBack(call, guest)
  if (guest.status === 'running' && parsed.set['force'] !== '1') {
    return die(call, `unable to destroy CT ${guest.vmid} - container is running`)
  }
  return asTask(call, 'vzdestroy', guest.vmid, (task) => {
    if (guest.status === 'running') stopGuest(task, guest.vmid)
    task.wait(700)
    for (const volume of volumesOf(guest))
      task.out(`  Logical volume "${volume.name}" successfully removed.\n`)
    task.wait(300)
    task.out(`purging CT ${guest.vmid} from related configurations..\n`)
    task.change({ do: 'guest.remove', vmid: guest.vmid })
    return null
  })
}

function broughtBack(call: Call, guest: Guest): void {
  startGuest(call, guest.vmid)
  call.change({ do: 'guest.set', vmid: guest.vmid, set: { watchdog: false } })
  call.change({
    do: 'journal.add',
    machine: call.machine.id,
    entry: {
      at: call.now(),
      unit: 'cron.service',
      ident: 'ct-watchdog',
      pid: call.recording.number(),
      priority: 6,
      message: `CT ${guest.vmid} (${nameOf(guest)}) was down, started it again (onboot=1)`
    }
  })
}
