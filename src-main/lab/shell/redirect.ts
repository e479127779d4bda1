import type { Redirection } from 'unbash'
import { absolute, entryAt, parentOf, readFile } from './files'
import { expandOne, expandText } from './expand'
import { listenerOn, machineAt } from '../world/look'
import { collector, Input, type Io, type Sink } from './io'
import type { Shell } from './shell'

interface Target {
  readonly path: string
  readonly append: boolean
  readonly text: () => string
}

/** Runs `act` with its streams sent where the redirections say; files are written when it has ended. */
export function redirected(
  shell: Shell,
  redirects: readonly Redirection[],
  io: Io,
  act: (io: Io) => number
): number {
  if (redirects.length === 0) return act(io)
  const targets: Target[] = []
  let inner = io
  for (const redirect of redirects) {
    const next = applied(shell, redirect, inner, io, targets)
    if (typeof next === 'string') {
      io.err(`${shell.label}: ${next}\n`)
      return 1
    }
    inner = next
  }
  const status = act(inner)
  for (const target of targets) writeTarget(shell, target)
  return status
}

/** The streams after one more redirection, or what is wrong with it. */
function applied(shell: Shell, redirect: Redirection, io: Io, outer: Io, targets: Target[]): Io | string {
  if (redirect.type === 'HereDoc') {
    const { body } = redirect
    return { ...io, input: new Input(body.parts ? expandText(shell, body.parts) : body.text) }
  }
  const word = redirect.target ? expandOne(shell, redirect.target) : ''
  if (redirect.type === 'HereString') return { ...io, input: new Input(`${word}\n`) }
  const descriptor = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : null
  switch (redirect.operator) {
    case '<':
      return fromFile(shell, word, io)
    case '<&':
      return io
    case '<>':
      return toSocket(shell, word) ?? io
    case '>&': {
      if (word === '1') return { ...io, err: descriptor === 2 ? io.out : io.err }
      if (word === '2') return descriptor === 2 ? io : { ...io, out: io.err }
      if (word === '-')
        return descriptor === 2 ? { ...io, err: () => undefined } : { ...io, out: () => undefined }
      return toFile(shell, word, false, outer, targets, (sink) => ({ ...io, out: sink, err: sink }))
    }
    case '&>':
    case '&>>':
      return toFile(shell, word, redirect.operator === '&>>', outer, targets, (sink) => ({
        ...io,
        out: sink,
        err: sink
      }))
    default:
      return toFile(shell, word, redirect.operator === '>>', outer, targets, (sink) =>
        descriptor === 2 ? { ...io, err: sink } : { ...io, out: sink }
      )
  }
}

/** Bash's `/dev/tcp/HOST/PORT`: what is wrong with the connection, or null when it is made. */
function toSocket(shell: Shell, word: string): string | null {
  const [, host = '', port = ''] = /^\/dev\/tcp\/([^/]+)\/(\d+)$/.exec(word) ?? []
  if (host === '') return null
  const machine = /^(localhost|127\.)/.test(host) ? shell.machine : machineAt(shell.world, host)
  if (!machine) return `${host}: Name or service not known`
  return listenerOn(machine, Number(port))
    ? null
    : `connect: Connection refused\n${shell.label}: ${word}: Connection refused`
}

function fromFile(shell: Shell, word: string, io: Io): Io | string {
  if (word === '/dev/null') return { ...io, input: new Input('') }
  const text = readFile(shell.world, shell.machine, absolute(shell.state.cwd, word), shell.recording.now)
  return text === null ? `${word}: No such file or directory` : { ...io, input: new Input(text) }
}

function toFile(
  shell: Shell,
  word: string,
  append: boolean,
  outer: Io,
  targets: Target[],
  put: (sink: Sink) => Io
): Io | string {
  if (word === '/dev/null') return put(() => undefined)
  if (word === '/dev/stdout') return put(outer.out)
  if (word === '/dev/stderr') return put(outer.err)
  const path = absolute(shell.state.cwd, word)
  const { world, machine } = shell
  const now = shell.recording.now
  if (entryAt(world, machine, path, now)?.dir) return `${word}: Is a directory`
  if (!entryAt(world, machine, parentOf(path), now)?.dir) return `${word}: No such file or directory`
  const { sink, text } = collector()
  targets.push({ path, append, text })
  return put(sink)
}

function writeTarget(shell: Shell, { path, append, text }: Target): void {
  const before = shell.machine.files[path]
  const content = (append ? (before?.content ?? '') : '') + text()
  shell.recording.change({
    do: 'file.put',
    machine: shell.machineId,
    path,
    file: { content, mode: before?.mode ?? 0o644, dir: false, at: shell.recording.now }
  })
}
