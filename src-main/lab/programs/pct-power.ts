import type { Guest } from '../world/types'
import { type Call, die } from '../shell/program'
import { pveArguments } from './options'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'

const knownOptions = ['debug', 'skiplock', 'timeout', 'forceStop', 'overrule-shutdown']

/** Refuses unknown options and locked containers; null when the command may go on. */
function refused(call: Call, guest: Guest, args: readonly string[]): number | null {
  const parsed = pveArguments(args, knownOptions, 0)
  if (!parsed.ok) return die(call, parsed.text)
  const lock = lockText(guest)
  return lock !== null && parsed.set['skiplock'] !== '1' ? die(call, lock) : null
}

export function start(call: Call, guest: Guest, args: readonly string[]): number {
  const no = refused(call, guest, args)
  if (no !== null) return no
  if (guest.status === 'running') return die(call, `CT ${guest.vmid} already running`)
  if (guest.template) return die(call, "you can't start a CT if it's a template")
  return asTask(call, 'vzstart', guest.vmid, (task) => {
    task.wait(1200)
    startGuest(task, guest.vmid)
    task.wait(300)
    return null
  })
}

export function stop(call: Call, guest: Guest, args: readonly string[]): number {
  return ended(call, guest, args, 'vzstop', 600)
}

export function shutdown(call: Call, guest: Guest, args: readonly string[]): number {
  return ended(call, guest, args, 'vzshutdown', 1800)
}

function ended(call: Call, guest: Guest, args: readonly string[], type: string, ms: number): number {
  const no = refused(call, guest, args)
  if (no !== null) return no
  if (guest.status !== 'running') return die(call, `CT ${guest.vmid} not running`)
  return asTask(call, type, guest.vmid, (task) => {
    task.wait(ms)
    stopGuest(task, guest.vmid)
    return null
  })
}

export function reboot(call: Call, guest: Guest, args: readonly string[]): number {
  const no = refused(call, guest, args)
  if (no !== null) return no
  if (guest.status !== 'running') return die(call, `VM ${guest.vmid} not running`)
  return asTask(call, 'vzreboot', guest.vmid, (task) => {
    task.wait(1500)
    stopGuest(task, guest.vmid)
    task.wait(900)
    startGuest(task, guest.vmid)
    return null
  })
}
