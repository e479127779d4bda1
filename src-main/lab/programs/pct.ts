import { own } from '../world/own'
import type { Guest } from '../world/types'
import { type Call, die, nodeOf, type Programs, type Run } from '../shell/program'
import { clone, config, df, list, pctTemplate, resize, set, status } from './pct-config'
import { create } from './pct-create'
import { exec, pull, push } from './pct-inside'
import { migrate } from './pct-migrate'
import { reboot, shutdown, start, stop } from './pct-power'
import { delsnapshot, listsnapshot, rollback, snapshot } from './snapshots'
import { destroy } from './pct-destroy'

type GuestRun = (call: Call, guest: Guest, args: readonly string[]) => number

/** Subcommands that act on a container of this node. */
const onGuest: Readonly<Record<string, GuestRun>> = {
  status,
  config,
  start,
  stop,
  shutdown,
  reboot,
  destroy,
  set,
  resize,
  snapshot,
  listsnapshot,
  delsnapshot,
  rollback,
  clone,
  migrate,
  exec,
  push,
  pull,
  df,
  template: pctTemplate,
  pending: (call, guest) => (
    call.out(
      Object.entries(guest.config)
        .map(([k, v]) => `cur ${k}: ${v}\n`)
        .join('')
    ),
    0
  ),
  unlock: (call, guest) => {
    call.wait(200)
    if (guest.lock === null) return die(call, 'no lock found trying to remove any lock', 255)
    call.change({ do: 'guest.set', vmid: guest.vmid, set: { lock: null } })
    return 0
  }
}

/** `pct`: node-local, as root; texts and exit codes as in pve-container. */
const pct: Run = (call) => {
  const [verb = '', id = '', ...args] = call.args
  if (verb === 'list') return list(call)
  if (verb === 'create') return create(call, call.args.slice(1))
  const run = own(onGuest, verb)
  if (!run) return die(call, `ERROR: unknown command 'pct ${verb}'`, 255)
  if (id === '') return die(call, '400 not enough arguments\npct ' + verb + ' <vmid> [OPTIONS]', 255)
  if (!/^[1-9]\d{2,8}$/.test(id)) {
    return die(
      call,
      '400 Parameter verification failed.\nvmid: invalid format - value does not look like a valid VM ID\n',
      255
    )
  }
  const guest = call.world.guests[id]
  const node = nodeOf(call.machine) ?? ''
  if (!guest || guest.kind !== 'lxc' || guest.node !== node) {
    return die(call, `Configuration file 'nodes/${node}/lxc/${id}.conf' does not exist`, 2)
  }
  return run(call, guest, args)
}

export const pctPrograms: Programs = { pct: { run: pct, on: 'node' } }
