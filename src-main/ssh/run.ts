import type { ClientChannel } from 'ssh2'
import { fail, messageOf, ok, type Result } from '../base/result'
import { channelRefused, connectionLost, hostUnreachable } from './errors'
import type { Link } from './link'

export interface RunIo {
  readonly stdin?: string | Buffer
  /** Called in order; a returned promise holds the stream back. */
  readonly onStdout: (chunk: Buffer) => void | Promise<void>
  /** What is kept of stderr. */
  readonly stderrBytes: number
  /** Ends the command here; its reason says whether time ran out or somebody asked. */
  readonly signal: AbortSignal
  /** For opening the channel, in ms. */
  readonly timeout: number
}

export interface RunOutcome {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
  readonly stderrTruncated: boolean
}

/** Runs one command line on a connection that has a free slot. */
export async function runCommand(link: Link, command: string, io: RunIo): Promise<Result<RunOutcome>> {
  const started = await start(link, command, io)
  return started.ok ? await started.value : started
}

/**
 * Opens a session and starts the command. `channel_refused` and `host_unreachable` mean that nothing was started;
 * after `connection_lost` that is not known.
 */
function start(link: Link, command: string, io: RunIo): Promise<Result<Promise<Result<RunOutcome>>>> {
  if (!link.alive) return Promise.resolve(notSent(link))
  return new Promise((resolve) => {
    let settled = false
    let left = false
    let forget = (): unknown => undefined
    const settle = (result: Result<Promise<Result<RunOutcome>>>) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      forget()
      io.signal.removeEventListener('abort', abort)
      resolve(result)
    }
    const leave = (result: Result<never>) => {
      if (settled) return
      left = true
      link.abandoned++
      settle(result)
    }
    const abort = () => leave(stopped(link, io.signal))
    const timer = setTimeout(
      () => leave(connectionLost(link.host.name, 'it did not answer when the command was sent')),
      io.timeout
    )
    forget = link.whenDead((why) => settle(connectionLost(link.host.name, why)))
    if (io.signal.aborted) return settle(stopped(link, io.signal))
    io.signal.addEventListener('abort', abort, { once: true })
    try {
      link.client.exec(command, (error, channel) => {
        if (left) link.abandoned--
        if (error) return settle(openFailure(link, error))
        channel.on('error', () => undefined)
        channel.stderr.on('error', () => undefined)
        if (settled) return giveUp(link, channel)
        // At once, not a microtask later: output and exit may already be in the bytes being read.
        return settle(ok(follow(link, channel, io)))
      })
    } catch (error) {
      // ssh2 throws when the connection has just ended: nothing was sent.
      settle(notSent(link))
      link.kill(messageOf(error))
    }
  })
}

const notSent = (link: Link): Result<never> =>
  hostUnreachable(link.host, 'the connection has just ended; nothing was started', 'Try again.')

function openFailure(link: Link, error: Error): Result<never> {
  if ('reason' in error)
    return channelRefused(link.host.name, `it allows no further session (${error.message})`)
  if (/unable to exec/i.test(error.message))
    return channelRefused(link.host.name, 'it does not allow commands')
  return connectionLost(link.host.name, error.message)
}

/** Reads a started command to its end. */
function follow(link: Link, channel: ClientChannel, io: RunIo): Promise<Result<RunOutcome>> {
  return new Promise((resolve) => {
    let exit: { code: number | null; signal: string | null } | null = null
    let settled = false
    let handed: Promise<void> = Promise.resolve()
    const stderr = new Collected(io.stderrBytes)
    let forget = (): unknown => undefined

    const settle = (result: Result<RunOutcome>) => {
      if (settled) return
      settled = true
      forget()
      io.signal.removeEventListener('abort', abort)
      resolve(result)
    }
    const end = (result: Result<RunOutcome>) => {
      if (settled) return
      settle(result)
      giveUp(link, channel)
    }
    const abort = () => end(stopped(link, io.signal))
    forget = link.whenDead((why) => end(connectionLost(link.host.name, why)))

    channel.on('data', (chunk: Buffer) => {
      if (settled) return
      const held = hand(chunk)
      if (!held) return
      channel.pause()
      handed = held.then(
        () => void channel.resume(),
        (error: unknown) => end(fail('output_refused', `Its output could not be taken: ${messageOf(error)}`))
      )
    })
    const hand = (chunk: Buffer): Promise<void> | null => {
      try {
        return io.onStdout(chunk) ?? null
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(messageOf(error)))
      }
    }
    channel.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    channel.on('exit', (code: number | null, signal?: string) => {
      exit = { code, signal: signal ?? null }
    })
    channel.on('close', () => {
      const ended = exit
      void handed.then(() =>
        settle(
          ended === null
            ? connectionLost(link.host.name, 'the session ended without an exit code')
            : ok({ ...ended, stderr: stderr.text(), stderrTruncated: stderr.truncated })
        )
      )
    })
    io.signal.addEventListener('abort', abort, { once: true })
    if (io.signal.aborted) return abort()
    // A command that closes its stdin early is no failure.
    channel.end(io.stdin)
  })
}

/** Ends a command that nobody waits for any more; it counts as abandoned until the host says it is gone. */
function giveUp(link: Link, channel: ClientChannel): void {
  if (!link.alive) return
  link.abandoned++
  channel.once('close', () => link.abandoned--)
  channel.removeAllListeners('data')
  channel.resume()
  channel.stderr.resume()
  try {
    channel.signal('TERM')
    channel.close()
  } catch {
    // The connection ended meanwhile, and the channel with it.
  }
}

const stopped = (link: Link, signal: AbortSignal): Result<never> =>
  signal.reason === timeIsUp
    ? fail(
        'exec_timeout',
        `The command on ${link.host.name} took too long and was given up. It may still run there.`,
        'Look at the host before running it again.',
        { host: link.host.name }
      )
    : fail('aborted', `The command on ${link.host.name} was stopped on request. It may have taken effect.`)

/** Reason of a signal that aborts because time ran out. */
export const timeIsUp = Symbol('time is up')

/** Keeps the first bytes of a stream and remembers whether there were more. */
export class Collected {
  private readonly chunks: Buffer[] = []
  private size = 0
  truncated = false

  constructor(private readonly limit: number) {}

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.limit - this.size)
    if (kept.length < chunk.length) this.truncated = true
    if (kept.length === 0) return
    this.size += kept.length
    this.chunks.push(kept)
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }
}
