import { absolute, entryAt, parentOf, readFile } from '../shell/files'
import { type Call, die } from '../shell/program'
import { newShellState, Shell } from '../shell/shell'
import type { Guest } from '../world/types'
import { pveArguments } from './options'

/**
 * `pct exec VMID -- argv`: no shell, the exit code is the program's. The host's PATH leaks in as
 * `/sbin:/bin:/usr/sbin:/usr/bin` (pct.pm), which is why callers set their own.
 */
export function exec(call: Call, guest: Guest, args: readonly string[]): number {
  const dashes = args.indexOf('--')
  const options = dashes < 0 ? args.slice(0, leading(args)) : args.slice(0, dashes)
  const argv = dashes < 0 ? args.slice(leading(args)) : args.slice(dashes + 1)
  const parsed = pveArguments(options, ['keep-env'], 0)
  if (!parsed.ok) return die(call, parsed.text)
  if (guest.status !== 'running') return die(call, `container '${guest.vmid}' not running!`)
  const [name, ...rest] = argv
  if (name === undefined)
    return die(call, '400 not enough arguments\npct exec <vmid> [<extra-args>] [OPTIONS]')
  call.wait(150)
  const { recording, shell } = call
  const inner = new Shell(recording, `lxc:${guest.vmid}`, shell.programs, newShellState(), call, 'sh: 1')
  const env = {
    ...inner.environment(),
    PATH: '/sbin:/bin:/usr/sbin:/usr/bin',
    ...(parsed.set['keep-env'] !== '0' && { LANG: 'en_US.UTF-8' })
  }
  return inner.subshell((attached) => {
    if (missing(attached, name)) {
      call.err(
        `lxc-attach: ${guest.vmid}: ../src/lxc/attach.c: lxc_attach_run_command: 1841 No such file or directory - Failed to exec "${name}"\n`
      )
      return 127
    }
    return attached.program(name, rest, env, call)
  })
}

const leading = (args: readonly string[]): number => {
  let at = 0
  while (args[at]?.startsWith('-')) at += 2
  return at
}

/** Shell builtins that are no programs cannot be attached to either. */
function missing(shell: Shell, name: string): boolean {
  if (name.includes('/')) return false
  return shell.find(name) === null && !['true', 'false', 'test', '['].includes(name)
}

/** `pct push VMID FILE DEST`: FILE lies on the node, DEST's folder must exist. Ends with 0 even if the copy fails later. */
export function push(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['user', 'group', 'perms'], 2)
  if (!parsed.ok) return die(call, parsed.text)
  const [from = '', to = ''] = parsed.positional
  if (guest.status !== 'running') return die(call, 'can only push files to a running CT')
  const content = readFile(call.world, call.machine, absolute(call.cwd, from), call.now())
  if (content === null)
    return die(call, `failed to open file '${from}' for reading: No such file or directory`, 2)
  const inside = call.world.machines[`lxc:${guest.vmid}`]
  const path = absolute('/', to)
  call.wait(400)
  if (!inside || !entryAt(call.world, inside, parentOf(path), call.now())?.dir) {
    return die(call, `failed to open ${to} for writing: No such file or directory`, 0)
  }
  const mode = parseInt(parsed.set['perms'] ?? '644', 8)
  call.change({
    do: 'file.put',
    machine: inside.id,
    path,
    file: { content, mode, dir: false, at: call.now() }
  })
  return 0
}

export function pull(call: Call, guest: Guest, args: readonly string[]): number {
  const parsed = pveArguments(args, ['user', 'group', 'perms'], 2)
  if (!parsed.ok) return die(call, parsed.text)
  const [from = '', to = ''] = parsed.positional
  if (guest.status !== 'running') return die(call, 'can only pull files from a running VM')
  const inside = call.world.machines[`lxc:${guest.vmid}`]
  const content = inside ? readFile(call.world, inside, absolute('/', from), call.now()) : null
  call.wait(400)
  if (content === null) return die(call, `failed to open ${from}: No such file or directory`, 0)
  const path = absolute(call.cwd, to)
  call.change({
    do: 'file.put',
    machine: call.machine.id,
    path,
    file: { content, mode: 0o644, dir: false, at: call.now() }
  })
  return 0
}
