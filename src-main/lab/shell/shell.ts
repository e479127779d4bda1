import { own } from '../world/own'
import { parse } from 'unbash'
import type { AndOr, Assignment, Command, CommandNode, Pipeline, PipelineNode, Statement, Word } from 'unbash'
import { type Machine, type World } from '../world/types'
import { builtins } from './builtins'
import { caseOf, forOf, ifOf, whileOf } from './compound'
import { expandFields, expandOne } from './expand'
import { collector, Input, type Io } from './io'
import { type Call, nodeOf, type Programs } from './program'
import type { Recording } from './recording'
import { redirected } from './redirect'

/** What a shell remembers between commands; JSON, kept with a job between the lines of its script. */
export interface ShellState {
  vars: Record<string, string>
  exported: string[]
  cwd: string
  /** `$?`. */
  status: number
  positional: string[]
  ignoresTerm: boolean
  errexit: boolean
}

export const newShellState = (positional: readonly string[] = []): ShellState => ({
  vars: {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    USER: 'root',
    PWD: '/root'
  },
  exported: ['PATH', 'HOME', 'USER', 'PWD'],
  cwd: '/root',
  status: 0,
  positional: [...positional],
  ignoresTerm: false,
  errexit: false
})

/** `exit` was reached. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}

/** A loop that does not end would never answer. */
export const loopLimit = 10_000

/** A POSIX shell as far as administrators' one-liners go, run in advance on a recording. */
export class Shell {
  constructor(
    readonly recording: Recording,
    readonly machineId: string,
    readonly programs: Programs,
    readonly state: ShellState,
    readonly io: Io,
    /** How it names itself in messages: `bash: line 1` or `sh: 1`. */
    readonly label: string
  ) {}

  get world(): World {
    return this.recording.world
  }

  get machine(): Machine {
    const machine = this.world.machines[this.machineId]
    if (!machine) throw new Exit(137)
    return machine
  }

  /** Runs a whole script; answers its exit code. */
  run(source: string, io: Io = this.io): number {
    const tree = parse(source)
    const error = tree.errors?.[0]
    if (error) {
      io.err(`${this.label}: syntax error: ${error.message}\n`)
      return 2
    }
    try {
      return this.script(tree.commands, io)
    } catch (thrown) {
      if (thrown instanceof Exit) return thrown.code
      throw thrown
    }
  }

  /** Runs statements in order, letting `exit` through. */
  script(statements: readonly Statement[], io: Io): number {
    for (const statement of statements) {
      this.state.status = this.logical(statement.command, io)
      if (this.state.errexit && this.state.status !== 0 && statement.command.type !== 'AndOr')
        throw new Exit(this.state.status)
    }
    return this.state.status
  }

  private logical(node: AndOr | PipelineNode, io: Io): number {
    if (node.type !== 'AndOr') return this.pipeline(node, io)
    let status = 0
    node.commands.forEach((command, index) => {
      const operator = index === 0 ? null : node.operators[index - 1]
      if (operator === '&&' && status !== 0) return
      if (operator === '||' && status === 0) return
      status = this.pipeline(command, io)
      this.state.status = status
    })
    return status
  }

  private pipeline(node: PipelineNode, io: Io): number {
    if (node.type !== 'Pipeline') return this.command(node, io)
    const status = this.stages(node, io)
    const negated = node.prefixes.some((prefix) => prefix.type === 'Negation')
    return negated ? Number(status === 0) : status
  }

  private stages(node: Pipeline, io: Io): number {
    let input = io.input
    let status = 0
    node.commands.forEach((command, index) => {
      const last = index === node.commands.length - 1
      const { sink, text } = collector()
      const both = node.operators[index] === '|&'
      const stage: Io = { input, out: last ? io.out : sink, err: both && !last ? sink : io.err }
      status =
        last && index === 0
          ? this.command(command, stage)
          : this.subshell((inner) => inner.command(command, stage))
      input = new Input(last ? '' : text())
    })
    return status
  }

  /** Runs in a copy: variables and the folder do not come back. */
  subshell(act: (inner: Shell) => number): number {
    const inner = new Shell(
      this.recording,
      this.machineId,
      this.programs,
      structuredClone(this.state),
      this.io,
      this.label
    )
    try {
      return act(inner)
    } catch (thrown) {
      if (thrown instanceof Exit) return thrown.code
      throw thrown
    }
  }

  command(node: CommandNode, io: Io): number {
    switch (node.type) {
      case 'Command':
        return redirected(this, node.redirects, io, (inner) => this.simple(node, inner))
      case 'Redirected':
        return redirected(this, node.redirects, io, (inner) => this.command(node.command, inner))
      case 'Subshell':
        return this.subshell((inner) => inner.script(node.body.commands, io))
      case 'BraceGroup':
        return this.script(node.body.commands, io)
      case 'If':
        return ifOf(this, node, io)
      case 'For':
        return forOf(this, node, io)
      case 'While':
        return whileOf(this, node, io)
      case 'Case':
        return caseOf(this, node, io)
      default:
        io.err(`${this.label}: the lab's shell does not know ${node.type}\n`)
        return 2
    }
  }

  private simple(node: Command, io: Io): number {
    const assignments = node.prefix.filter((p): p is Assignment => p.type === 'Assignment')
    const values = assignments.map((a): [string, string] => [
      a.name,
      a.value.type === 'Word' ? expandOne(this, a.value) : ''
    ])
    if (!node.name) {
      Object.assign(this.state.vars, Object.fromEntries(values))
      return assignments.length > 0 ? 0 : this.state.status
    }
    const words = [node.name, ...node.args].flatMap((arg) => this.fieldsOf(arg))
    const [name = '', ...args] = words
    return this.program(name, args, { ...this.environment(), ...Object.fromEntries(values) }, io)
  }

  private fieldsOf(arg: Word | Assignment): string[] {
    if (arg.type === 'Word') return expandFields(this, arg)
    return [`${arg.name}=${arg.value.type === 'Word' ? expandOne(this, arg.value) : ''}`]
  }

  /** Runs a builtin or a program of this shell's machine. */
  program(path: string, args: readonly string[], env: Readonly<Record<string, string>>, io: Io): number {
    const name = path.replace(/^\/(usr\/)?(local\/)?s?bin\//, '')
    const builtin = own(builtins, name)
    const call = this.call(name, args, env, io)
    if (builtin) return builtin(call)
    if (name === '') return 0
    const found = this.find(name)
    if (found) return found.run(call)
    const content = this.machine.files[path.startsWith('/') ? path : `${this.state.cwd}/${path}`]
    if (path.includes('/') && content && !content.dir) return this.fileAsProgram(path, content, args, io)
    io.err(
      `${this.label}: ${path}: ${path.includes('/') ? 'No such file or directory' : 'command not found'}\n`
    )
    return 127
  }

  private fileAsProgram(
    path: string,
    entry: { content: string; mode: number },
    args: readonly string[],
    io: Io
  ): number {
    if ((entry.mode & 0o111) === 0) {
      io.err(`${this.label}: ${path}: Permission denied\n`)
      return 126
    }
    return this.subshell((inner) => {
      inner.state.positional = [...args]
      return inner.run(entry.content, io)
    })
  }

  /** A program that is there on this machine. */
  find(name: string) {
    const program = own(this.programs, name)
    if (!program) return null
    if (program.on === 'node' && nodeOf(this.machine) === null) return null
    if (program.package && !this.machine.packages.includes(program.package)) return null
    return program
  }

  private call(name: string, args: readonly string[], env: Readonly<Record<string, string>>, io: Io): Call {
    const { recording, world, machineId } = this
    return {
      ...io,
      name,
      args,
      env,
      cwd: this.state.cwd,
      world,
      machine: this.machine,
      shell: this,
      recording,
      now: () => recording.now,
      wait: (ms) => recording.wait(ms),
      change: (change) => {
        recording.change(change)
        if (!world.machines[machineId]) throw new Exit(137)
      }
    }
  }

  environment(): Record<string, string> {
    return Object.fromEntries(this.state.exported.map((name) => [name, this.state.vars[name] ?? '']))
  }

  /** `$name`, `$1`, `$?`, `$#`, `$@`, `$$`. */
  parameter(name: string): string | undefined {
    if (name === '?') return String(this.state.status)
    if (name === '#') return String(this.state.positional.length)
    if (name === '@' || name === '*') return this.state.positional.join(' ')
    if (name === '$') return '4242'
    if (name === '0') return 'sh'
    if (/^\d+$/.test(name)) return this.state.positional[Number(name) - 1]
    return own(this.state.vars, name)
  }
}
