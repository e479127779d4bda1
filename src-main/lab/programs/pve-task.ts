import type { Killed } from '../shell/recording'
import type { Call } from '../shell/program'
import { nodeOf } from '../shell/program'
import type { Guest } from '../world/types'

/** UPID as in pve-common UPID.pm: node, pid, process start, start time, type, id, user. */
const upidOf = (node: string, pid: number, at: number, type: string, vmid: number): string => {
  const hex = (n: number) => Math.floor(n).toString(16).toUpperCase().padStart(8, '0').slice(-8)
  return `UPID:${node}:${hex(pid)}:${hex(at / 10)}:${hex(at / 1000)}:${type}:${vmid}:root@pam:`
}

/**
 * Runs the work of a Proxmox VE task: it is listed among the node's tasks while it runs and afterwards.
 * The work answers its error's text or null. Its output goes to stdout, the error to stderr, and the exit code is
 * 255 (pve-container PVE/CLI/pct.pm, `$upid_exit`). `ifKilled` is what happens when the task gets a TERM.
 */
export function asTask(
  call: Call,
  type: string,
  vmid: number,
  work: (call: Call) => string | null,
  ifKilled: Killed | null = null
): number {
  const node = nodeOf(call.machine) ?? ''
  const pid = call.recording.number()
  const upid = upidOf(node, pid, call.now(), type, vmid)
  call.change({
    do: 'task.start',
    task: { upid, node, pid, type, vmid, startedAt: call.now(), endedAt: null, status: null, log: [] }
  })
  call.recording.ifKilled({
    text: ifKilled?.text ?? 'received interrupt\n',
    changes: [
      ...(ifKilled?.changes ?? []),
      { do: 'task.end', upid, at: call.now(), status: 'interrupted by signal' }
    ]
  })
  const error = work(call)
  call.recording.ifKilled(null)
  call.change({ do: 'task.end', upid, at: call.now(), status: error ?? 'OK' })
  if (error === null) return 0
  call.err(`${error}\n`)
  return 255
}

/** `CT is locked (backup)`, or null. */
export const lockText = (guest: Guest): string | null =>
  guest.lock === null ? null : `${guest.kind === 'vm' ? 'VM' : 'CT'} is locked (${guest.lock})`

/** Milliseconds between 1970 and the guest's start, with the changes that make it run. */
export function startGuest(call: Call, vmid: number): void {
  call.change({
    do: 'guest.set',
    vmid,
    set: { status: 'running', startedAt: call.now(), pid: call.recording.number() }
  })
}

export function stopGuest(call: Call, vmid: number): void {
  call.change({ do: 'guest.set', vmid, set: { status: 'stopped', startedAt: null, pid: null } })
}
