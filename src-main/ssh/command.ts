import { setTimeout } from 'node:timers/promises'
import type { HostConfig } from '../../src-preload/contract'
import { quoteArgv } from '../base/quote'
import { fail, messageOf, ok, type Result } from '../base/result'
import { channelRefused, hostUnreachable } from './errors'
import { afterMarker, framedCommand } from './framing'
import type { Link } from './link'
import { runCommand, timeIsUp, type RunIo, type RunOutcome } from './run'

/** An argv as it goes to a host, behind sudo where the host is configured so. */
export interface Command {
  readonly argv: readonly string[]
  readonly text: string
}

/** Errors: `command_invalid`. */
export function commandFor(host: HostConfig, argv: readonly string[]): Result<Command> {
  const words = host.sudo ? ['sudo', '-n', '--', ...argv] : argv
  try {
    return ok({ argv: words, text: quoteArgv(words) })
  } catch (error) {
    return fail('command_invalid', `The command cannot be run: ${messageOf(error)}.`)
  }
}

/**
 * Pauses (ms) before a command that is the only one is tried again after a refusal: sshd may still be clearing the
 * session of the one before, which counts until its process is gone.
 */
const aloneAndRefused = [20, 60, 200, 600] as const

/** False when the signal ends the pause. */
const isOver = (ms: number | undefined, signal: AbortSignal): Promise<boolean> =>
  setTimeout(ms, undefined, { signal }).then(
    () => true,
    () => false
  )

/**
 * Runs a command on a connection once a session is free there. A host that allows fewer sessions than expected
 * gets fewer from then on. `host_unreachable` means that nothing was started.
 */
export async function runOnLink(link: Link, command: Command, io: RunIo): Promise<Result<RunOutcome>> {
  const pauses = [...aloneAndRefused]
  for (;;) {
    if (!(await link.slots.acquire(io.signal)))
      return io.signal.reason === timeIsUp
        ? channelRefused(link.host.name, 'all sessions stayed busy with other commands')
        : notStarted(link.host, io.signal)
    try {
      const run = await runInShell(link, command, io)
      if (run.ok) return sudoRefusal(link.host, run.value) ?? run
      if (run.error.code !== 'channel_refused') return run
      if (link.slots.inUse > 1) link.slots.shrink()
      else if (link.abandoned > 0 || pauses.length === 0 || !(await isOver(pauses.shift(), io.signal))) {
        link.refusedOne = link.abandoned > 0
        return run
      }
    } finally {
      link.slots.release()
    }
  }
}

function runInShell(link: Link, command: Command, io: RunIo): Promise<Result<RunOutcome>> {
  const { marker } = link
  if (marker === null) return runCommand(link, command.text, io)
  return runCommand(link, framedCommand(marker, command.argv), {
    ...io,
    onStdout: afterMarker(marker, io.onStdout)
  })
}

/** For a command that was given up before it was sent. */
export const notStarted = (host: HostConfig, signal: AbortSignal): Result<never> =>
  signal.reason === timeIsUp
    ? hostUnreachable(host, 'it did not answer in time; nothing was started')
    : fail('aborted', `The command on ${host.name} was stopped on request before it started.`)

/** What sudo says when it wants a password, which nobody can type here. Source: sudo.c and auth/sudo_auth.c of sudo. */
const wantsPassword =
  /^sudo: (a password is required|a terminal is required|sorry, you must have a tty|no tty present)/m

function sudoRefusal(host: HostConfig, outcome: RunOutcome): Result<never> | null {
  if (!host.sudo || outcome.code !== 1 || !wantsPassword.test(outcome.stderr)) return null
  return fail(
    'sudo_needs_password',
    `sudo on ${host.name} asks ${host.user} for a password. Nothing was run.`,
    `Allow it without one: echo '${host.user} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/nomos, or log in as root.`,
    { host: host.name, user: host.user }
  )
}
