import type { CommandLine } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { Ssh } from '../../ssh/port'
import { hostScript } from './host-script'

/** How a job stands on its host; `bytes` is the size of its output. */
export type JobState =
  | { readonly kind: 'absent' }
  /** `late`: it was ended because its time was over. */
  | { readonly kind: 'exit'; readonly code: number; readonly late: boolean; readonly bytes: number }
  | { readonly kind: 'running'; readonly bytes: number }
  | { readonly kind: 'lost' | 'interrupted'; readonly bytes: number }

/** Milliseconds for one short question; covers connecting. */
const questionMs = 30_000

/** Speaks the job protocol with a host. A job's id is the id of its execution. */
export class JobClient {
  constructor(private readonly ssh: Ssh) {}

  /** Commands at once that a host takes, as far as is known. */
  sessions(host: string): number {
    return this.ssh.sessions(host)
  }

  /** Starts the job, or finds that it was started before: then nothing happens. */
  async start(
    host: string,
    id: string,
    timeLimit: number,
    script: string
  ): Promise<Result<'started' | 'exists'>> {
    const bytes = String(Buffer.byteLength(script))
    const answer = await this.ask(host, ['start', id, String(timeLimit), bytes], questionMs, script)
    if (!answer.ok) return answer
    if (answer.value === 'started' || answer.value === 'exists') return ok(answer.value)
    return strange(host, answer.value)
  }

  async state(host: string, id: string): Promise<Result<JobState>> {
    const answer = await this.ask(host, ['state', id], questionMs)
    if (!answer.ok) return answer
    const state = parseState(answer.value)
    return state ? ok(state) : strange(host, answer.value)
  }

  /**
   * Hands the raw output from `offset` on to `onOutput` until the job has ended; answers how it stands then, or null
   * when that was not told. Raw bytes and offsets are those of the host's file.
   */
  async follow(
    host: string,
    id: string,
    offset: number,
    onOutput: (chunk: Buffer) => Promise<void>,
    signal: AbortSignal
  ): Promise<Result<JobState | null>> {
    const followed = await this.ssh.stream(host, argvOf(['follow', id, String(offset)]), {
      onStdout: onOutput,
      signal
    })
    if (!followed.ok) return followed
    return ok(parseState(lastLine(followed.value.stderr)))
  }

  /** Raw output from `offset` on, at most `max` bytes, handed to `onOutput`. */
  async read(
    host: string,
    id: string,
    offset: number,
    max: number,
    onOutput: (chunk: Buffer) => Promise<void>,
    signal: AbortSignal
  ): Promise<Result<null>> {
    const argv = argvOf(['read', id, String(offset), String(max)])
    const got = await this.ssh.stream(host, argv, { onStdout: onOutput, signal })
    if (!got.ok) return got
    return got.value.code === 0 ? ok(null) : refused(host, got.value.code, got.value.stderr)
  }

  /** Signals every process of the job, kills what is left after `grace` seconds, and looks whether all are gone. */
  async cancel(host: string, id: string, grace: number): Promise<Result<'gone' | 'alive' | 'absent'>> {
    const answer = await this.ask(host, ['cancel', id, String(grace)], questionMs + grace * 1000)
    if (!answer.ok) return answer
    const { value } = answer
    return value === 'gone' || value === 'alive' || value === 'absent' ? ok(value) : strange(host, value)
  }

  /** Removes the job's folder. */
  async clean(host: string, id: string): Promise<Result<null>> {
    const answer = await this.ask(host, ['clean', id], questionMs)
    return answer.ok ? ok(null) : answer
  }

  /** The last line that a verb prints: whatever a login script printed stands before it. */
  private async ask(
    host: string,
    args: readonly string[],
    timeoutMs: number,
    stdin = ''
  ): Promise<Result<string>> {
    const ran = await this.ssh.exec(host, argvOf(args), { stdin, timeoutMs })
    if (!ran.ok) return ran
    const { code, stdout, stderr } = ran.value
    return code === 0 ? ok(lastLine(stdout)) : refused(host, code, stderr)
  }
}

const argvOf = (args: readonly string[]): readonly string[] => ['sh', '-c', hostScript, 'nomos-job', ...args]

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? ''

function parseState(line: string): JobState | null {
  if (line === 'absent') return { kind: 'absent' }
  const ended = /^exit (\d{1,3}) (\d+)(?: (own|late))?$/.exec(line)
  if (ended) {
    const code = Number(ended[1])
    // A job that an older version started says nothing more: 124 was the time limit then.
    return { kind: 'exit', code, late: code === 124 && ended[3] !== 'own', bytes: Number(ended[2]) }
  }
  const [, kind, bytes] = /^(running|lost|interrupted) (\d+)$/.exec(line) ?? []
  return kind === 'running' || kind === 'lost' || kind === 'interrupted'
    ? { kind, bytes: Number(bytes) }
    : null
}

const refused = (host: string, code: number | null, stderr: string): Result<never> => {
  const said = lastLine(stderr)
  return fail(
    'job_refused',
    `${host} could not take the job (exit code ${code}): ${said === '' ? 'it said nothing' : said}`,
    'Check the free space and the rights of the folder nomos/jobs in its state folder.',
    { host, line: said }
  )
}

const strange = (host: string, line: string): Result<never> =>
  fail('job_answer_unreadable', `${host} gave an answer that is none: ${line.slice(0, 200)}`, undefined, {
    host
  })

/** Says which step begins; U+001E is no character that a program prints by itself. */
const stepMark = (step: string): string => String.raw`printf '\036step %s\n' ` + step

/** The script of a job: each command line as it was shown, the first that fails ends it. */
export const jobScript = (commands: readonly CommandLine[]): string =>
  commands.flatMap(({ step, text }) => [stepMark(step), `${text} || exit $?`]).join('\n')
