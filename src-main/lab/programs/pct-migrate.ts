import type { Guest } from '../world/types'
import { type Call, die } from '../shell/program'
import { own } from '../world/own'
import { pveArguments } from './options'
import { asTask, lockText, startGuest, stopGuest } from './pve-task'

/** `pct migrate ID NODE`: a running container is only moved with `--restart 1` (pve-container API2/LXC.pm). */
export function migrate(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['online', 'restart'], 1)
  if (!parsed.ok) return die(call, parsed.text)
  const node = parsed.positional[0] ?? ''
  const wasRunning = guest.status === 'running'
  const lock = lockText(guest)
  if (lock !== null) return die(call, lock)
  if (!own(call.world.nodes, node)) return die(call, `no such cluster node '${node}'`)
  if (node === guest.node) return die(call, `target is local node.`)
  if (wasRunning && parsed.set['restart'] !== '1')
    return die(call, "can't migrate running container without --online or --restart")
  return asTask(call, 'vzmigrate', guest.vmid, (task) => {
    if (wasRunning) stopGuest(task, guest.vmid)
    task.wait(1500)
    task.out(`start migration of CT ${guest.vmid} to node '${node}'\n`)
    task.change({ do: 'guest.set', vmid: guest.vmid, set: { node } })
    if (wasRunning) startGuest(task, guest.vmid)
    task.out('migration finished successfully\n')
    return null
  })
}
