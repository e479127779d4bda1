import { own } from '../world/own'
import { diskOf, guestsOn, nameOf } from '../world/look'
import type { Guest } from '../world/types'
import { type Call, die, nodeOf, type Programs } from '../shell/program'
import { config } from './pct-config'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'
import { delsnapshot, listsnapshot, rollback, snapshot } from './snapshots'

/** `qm`: virtual machines of this node. */
function qm(call: Call): number {
  const [verb = '', id = '', ...args] = call.args
  if (verb === 'list') return list(call)
  const guest = own(call.world.guests, id)
  const node = nodeOf(call.machine) ?? ''
  if (!guest || guest.kind !== 'vm' || guest.node !== node) {
    return die(call, `Configuration file 'nodes/${node}/qemu-server/${id}.conf' does not exist`, 2)
  }
  switch (verb) {
    case 'status':
      call.wait(200)
      call.out(`status: ${guest.status}\n`)
      return 0
    case 'config':
      return config(call, guest, args)
    case 'listsnapshot':
      return listsnapshot(call, guest)
    case 'snapshot':
      return snapshot(call, guest, args)
    case 'delsnapshot':
      return delsnapshot(call, guest, args)
    case 'rollback':
      return rollback(call, guest, args)
    case 'start':
      return power(call, guest, 'qmstart', 1500, 'start')
    case 'stop':
      return power(call, guest, 'qmstop', 500, 'stop')
    case 'shutdown':
      return power(call, guest, 'qmshutdown', 2000, 'stop')
    case 'reboot':
    case 'reset':
      return power(call, guest, 'qmreboot', 2500, 'reboot')
    case 'destroy':
      return guest.status === 'running'
        ? die(call, `VM ${guest.vmid} is running - destroy failed`)
        : gone(call, guest)
    case 'unlock':
      call.change({ do: 'guest.set', vmid: guest.vmid, set: { lock: null } })
      return 0
    default:
      return die(call, `ERROR: unknown command 'qm ${verb}'`)
  }
}

export const qmPrograms: Programs = { qm: { run: qm, on: 'node' } }

function list(call: Call): number {
  call.wait(300)
  const guests = guestsOn(call.world, nodeOf(call.machine) ?? '', 'vm')
  if (guests.length === 0) return 0
  const row = (c: readonly (string | number)[]) =>
    `${String(c[0]).padStart(10)} ${String(c[1]).padEnd(20)} ${String(c[2]).padEnd(10)} ${String(c[3]).padEnd(10)} ${String(c[4]).padStart(12)} ${String(c[5]).padEnd(10)}\n`
  call.out(row(['VMID', 'NAME', 'STATUS', 'MEM(MB)', 'BOOTDISK(GB)', 'PID']))
  for (const guest of guests) {
    call.out(
      row([
        guest.vmid,
        nameOf(guest),
        guest.status,
        guest.config['memory'] ?? '',
        (diskOf(guest) / 1024 ** 3).toFixed(2),
        guest.pid ?? 0
      ])
    )
  }
  return 0
}

function power(
  call: Call,
  guest: Guest,
  type: string,
  ms: number,
  what: 'start' | 'stop' | 'reboot'
): number {
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (what === 'start' && guest.status === 'running') return die(call, `VM ${guest.vmid} already running`)
  if (what !== 'start' && guest.status !== 'running') return die(call, `VM ${guest.vmid} not running`)
  return asTask(call, type, guest.vmid, (task) => {
    task.wait(ms)
    if (what !== 'start') stopGuest(task, guest.vmid)
    if (what !== 'stop') startGuest(task, guest.vmid)
    return null
  })
}

function gone(call: Call, guest: Guest): number {
  return asTask(call, 'qmdestroy', guest.vmid, (task) => {
    task.wait(900)
    task.change({ do: 'guest.remove', vmid: guest.vmid })
    return null
  })
}
