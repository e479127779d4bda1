import type { Simulation } from './simulation'
import type { Job } from './store'

/** Where the answers of the protocol go, and how the connection says that it is gone. */
export interface Wire {
  out(data: Buffer | string): void
  err(text: string): void
  end(code: number): void
  /** Resolves with all of stdin. */
  readonly stdin: Promise<Buffer>
  onClose(listener: () => void): void
}

/**
 * The arguments after `nomos-job` when a command line is the executor's host script; null otherwise. The script's
 * text itself is not looked at: the lab answers by itself what the script would do on a real host.
 */
export function jobArguments(words: readonly string[] | null): readonly string[] | null {
  if (!words) return null
  const from = words.indexOf('sh')
  return from >= 0 && words[from + 1] === '-c' && words[from + 3] === 'nomos-job'
    ? words.slice(from + 4)
    : null
}

/** A 124 says whether the time was over or the job itself ended so. */
const exitLine = ({ code, late = false }: { code: number; late?: boolean }, bytes: number): string =>
  `exit ${code} ${bytes}${code === 124 ? (late ? ' late' : ' own') : ''}`

/** `exit <code> <bytes>` (with 124: ` late` or ` own`), `running <bytes>`, `lost <bytes>`, `interrupted <bytes>` or `absent`. */
function stateLine(job: Job | null): string {
  if (!job) return 'absent'
  if (!job.end) return `running ${job.bytes}`
  return job.end.kind === 'exit' ? exitLine(job.end, job.bytes) : `${job.end.kind} ${job.bytes}`
}

const wholeNumber = (text: string | undefined): number =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : 0

/** Answers one verb of the job protocol for a node. */
export async function answerJob(
  simulation: Simulation,
  node: string,
  args: readonly string[],
  wire: Wire
): Promise<void> {
  const [verb = '', id = '', first, second] = args
  const refuse = (text: string, code: number) => {
    wire.err(`nomos-job: ${text}\n`)
    wire.end(code)
  }
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) return refuse('not an id', 64)
  const job = simulation.job(node, id)
  switch (verb) {
    case 'start': {
      const script = await wire.stdin
      if (second !== undefined && script.length !== wholeNumber(second))
        return refuse('the script arrived incomplete', 65)
      wire.out(
        simulation.start(node, id, wholeNumber(first), script.toString('utf8')) ? 'started\n' : 'exists\n'
      )
      return wire.end(0)
    }
    case 'state':
      wire.out(`${stateLine(job)}\n`)
      return wire.end(0)
    case 'read':
      if (!job) return wire.end(66)
      wire.out(simulation.readOutput(job, wholeNumber(first), wholeNumber(second)))
      return wire.end(0)
    case 'follow':
      return follow(simulation, job, wholeNumber(first), wire)
    case 'cancel':
      return cancel(simulation, job, wholeNumber(first), wire)
    case 'clean':
      if (job && !job.end) return refuse('still running', 75)
      if (job) simulation.remove(node, id)
      wire.out('cleaned\n')
      return wire.end(0)
    default:
      return refuse(`no such verb: ${verb}`, 64)
  }
}

const chunkBytes = 64 * 1024

function follow(simulation: Simulation, job: Job | null, from: number, wire: Wire): void {
  if (!job) {
    wire.err('absent\n')
    return wire.end(66)
  }
  let offset = from
  let over = false
  const pump = () => {
    if (over) return
    while (offset < job.bytes) {
      const chunk = simulation.readOutput(job, offset, chunkBytes)
      if (chunk.length === 0) break
      offset += chunk.length
      wire.out(chunk)
    }
    if (!job.end) return
    over = true
    forget()
    wire.err(`${stateLine(job)}\n`)
    wire.end(0)
  }
  const forget = simulation.onJob(job, pump)
  wire.onClose(() => {
    over = true
    forget()
  })
  pump()
}

/** TERM, then KILL after the grace time; `gone` once nothing of the job is left. */
function cancel(simulation: Simulation, job: Job | null, graceSeconds: number, wire: Wire): void {
  const answer = (text: string) => {
    wire.out(`${text}\n`)
    wire.end(0)
  }
  if (!job) return answer('absent')
  simulation.signal(job, 'TERM')
  if (job.end) return answer('gone')
  const timer = setTimeout(() => {
    simulation.signal(job, 'KILL')
    answer(job.end ? 'gone' : 'alive')
  }, graceSeconds * 1000)
  wire.onClose(() => clearTimeout(timer))
}
