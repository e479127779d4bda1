import { z } from 'zod'
import { fail, ok, type Result } from '../../base/result'
import type { Fleet, ResolvedTarget } from '../port'
import type { Ssh } from '../../ssh/port'

/** What reading inside of a target needs. */
export interface Inside {
  readonly fleet: Fleet
  readonly ssh: Ssh
}

export interface InsideOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface InsideOptions {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * `pct exec` starts without a shell and with the host's environment, in which /usr/local/bin is missing
 * (pve-container, PVE/CLI/pct.pm): the command gets its own.
 */
const environment = [
  'env',
  '-i',
  'HOME=/root',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'LC_ALL=C.UTF-8',
  'TERM=dumb'
] as const

/** Answer of `qm guest exec` (qemu-server, PVE/CLI/qm.pm). */
const guestExec = z.object({
  exitcode: z.coerce.number().optional(),
  exited: z.coerce.number().optional(),
  'out-data': z.string().default(''),
  'err-data': z.string().default('')
})

/**
 * Runs a command that only reads, on a host or inside of a running guest. The caller's argv is fixed but for values
 * it has checked. Errors: as Ssh, `guest_not_running`, `guest_agent_missing`, `command_missing`.
 */
export async function runInside(
  { ssh }: Inside,
  target: ResolvedTarget,
  argv: readonly string[],
  { timeoutMs = 30_000, signal }: InsideOptions = {}
): Promise<Result<InsideOutcome>> {
  if (target.kind !== 'host' && target.guest.status !== 'running')
    return fail(
      'guest_not_running',
      `${target.guest.name} (${target.guest.vmid}) is ${target.guest.status}: nothing can be read inside of it.`,
      target.guest.status === 'stopped' ? 'Start it first if that is wanted.' : 'Look at its state first.',
      { guest: nameOf(target) }
    )
  const ran = await ssh.exec(target.host, wrapped(target, argv, timeoutMs), {
    timeoutMs,
    maxBytes: 4 * 1024 * 1024,
    ...(signal && { signal })
  })
  if (!ran.ok) return ran
  const { code, stdout, stderr } = ran.value
  if (code === null) return fail('command_killed', `${argv[0] ?? 'The command'} was ended by a signal.`)
  if (target.kind === 'lxc' && code !== 0 && /container '\d+' not running/.test(stderr))
    return fail(
      'guest_not_running',
      `${target.guest.name} (${target.guest.vmid}) is not running any more.`,
      undefined,
      { guest: nameOf(target) }
    )
  if (target.kind === 'vm') return guestAnswer(target.guest.name, code, stdout, stderr)
  if (code === 127 || /(?:lxc-attach|env): .*(?:No such file or directory|not found)/i.test(stderr))
    return fail('command_missing', `${nameOf(target)} has no ${argv[0] ?? 'such command'}.`, undefined, {
      command: argv[0]
    })
  return ok({ code, stdout, stderr })
}

/** Name of a target for texts. */
export const nameOf = (target: ResolvedTarget): string =>
  target.kind === 'host' ? target.host : target.guest.name

function wrapped(target: ResolvedTarget, argv: readonly string[], timeoutMs: number): readonly string[] {
  if (target.kind === 'host') return ['env', 'LC_ALL=C.UTF-8', ...argv]
  const vmid = String(target.guest.vmid)
  if (target.kind === 'lxc') return ['pct', 'exec', vmid, '--', ...environment, ...argv]
  return ['qm', 'guest', 'exec', vmid, '--timeout', String(Math.ceil(timeoutMs / 1000) - 1), '--', ...argv]
}

function guestAnswer(name: string, code: number, stdout: string, stderr: string): Result<InsideOutcome> {
  if (code !== 0)
    return /agent/i.test(stderr)
      ? fail(
          'guest_agent_missing',
          `The QEMU guest agent of ${name} does not answer: nothing can be read inside of it.`,
          'Install and start qemu-guest-agent in it, and enable the agent in its options.',
          { guest: name }
        )
      : fail('guest_exec_failed', `qm guest exec failed for ${name}: ${stderr.trim().slice(0, 300)}`)
  try {
    const answer = guestExec.parse(JSON.parse(stdout))
    if (answer.exitcode === undefined)
      return fail('exec_timeout', `The command in ${name} has not ended in time.`)
    if (answer.exitcode === 127) return fail('command_missing', `${name} does not have this command.`)
    return ok({ code: answer.exitcode, stdout: answer['out-data'], stderr: answer['err-data'] })
  } catch {
    return fail('guest_exec_failed', `qm guest exec for ${name} printed something that is not JSON.`)
  }
}
