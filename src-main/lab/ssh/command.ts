import type { ServerChannel } from 'ssh2'
import { messageOf } from '../../base/result'
import { plainWords } from '../jobs/evaluate'
import { answerJob, jobArguments, type Wire } from '../jobs/protocol'
import type { Simulation } from '../jobs/simulation'
import { NeedsInput } from '../shell/recording'

/** EX_CANTCREAT: what a host with a full disk answers. */
const cannotCreate = 73

/** Runs what a client asked for and ends the channel with its exit code. */
export function runCommand(simulation: Simulation, node: string, line: string, channel: ServerChannel): void {
  const stdin = inputOf(channel)
  // Errors of a broken connection reach the channel too and mean nothing more than its close.
  channel.on('error', () => undefined)
  const job = jobArguments(line.includes('nomos-job') ? plainWords(line) : null)
  const running = job
    ? answerJob(simulation, node, job, wireOf(channel, stdin))
    : watchCommand(simulation, node, line, channel, stdin)
  running.catch((error: unknown) => {
    if (channel.writable) channel.stderr.write(`the lab could not do this: ${messageOf(error)}\n`)
    finish(channel, cannotCreate)
  })
}

function inputOf(channel: ServerChannel): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    channel.on('data', (chunk: Buffer) => chunks.push(chunk))
    channel.on('end', () => resolve(Buffer.concat(chunks)))
    channel.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

function finish(channel: ServerChannel, code: number): void {
  if (!channel.writable) return
  channel.exit(code)
  channel.end()
}

function wireOf(channel: ServerChannel, stdin: Promise<Buffer>): Wire {
  return {
    out: (data) => void (channel.writable && channel.write(data)),
    err: (text) => void (channel.writable && channel.stderr.write(text)),
    end: (code) => finish(channel, code),
    stdin,
    onClose: (listener) => void channel.on('close', listener)
  }
}

/** A command that reads its input is evaluated once the input has ended; others need not wait for that. */
async function watchCommand(
  simulation: Simulation,
  node: string,
  line: string,
  channel: ServerChannel,
  stdin: Promise<Buffer>
): Promise<void> {
  const to = {
    out: (text: string) => void (channel.writable && channel.write(text)),
    err: (text: string) => void (channel.writable && channel.stderr.write(text)),
    ended: (code: number) => finish(channel, code)
  }
  try {
    channel.on('close', simulation.watch(node, line, null, to))
  } catch (thrown) {
    if (!(thrown instanceof NeedsInput)) throw thrown
    const input = await stdin
    channel.on('close', simulation.watch(node, line, input.toString('utf8'), to))
  }
}
