import { absolute, entryAt, readFile } from './files'
import { type Call, die, type Run } from './program'
import { Exit } from './shell'

/** What the shell does itself. */
export const builtins: Readonly<Record<string, Run>> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  exit: ({ args, shell }) => {
    throw new Exit(Number(args[0] ?? shell.state.status) & 255)
  },
  return: ({ args, shell }) => Number(args[0] ?? shell.state.status) & 255,
  cd,
  export: exported,
  unset: ({ args, shell }) => {
    for (const name of args) delete shell.state.vars[name]
    return 0
  },
  set: ({ args, shell }) => {
    if (args.some((arg) => /^-[a-z]*e/.test(arg))) shell.state.errexit = true
    if (args.includes('+e')) shell.state.errexit = false
    return 0
  },
  trap: ({ args, shell }) => {
    if (args[0] === '' && args.slice(1).some((name) => /^(SIG)?TERM$|^15$/.test(name))) {
      shell.state.ignoresTerm = true
      shell.recording.ignoresTerm = true
    }
    return 0
  },
  shift: ({ shell }) => {
    shell.state.positional.shift()
    return 0
  },
  read: ({ args, shell, input }) => {
    const line = input.line()
    if (line === null) return 1
    const names = args.filter((arg) => !arg.startsWith('-'))
    const words = line.trim().split(/\s+/)
    names.forEach((name, index) => {
      shell.state.vars[name] =
        index === names.length - 1 ? words.slice(index).join(' ') : (words[index] ?? '')
    })
    return 0
  },
  umask: () => 0,
  wait: () => 0,
  command: commandBuiltin,
  type: whereIs,
  exec: ({ args: [name = '', ...rest], env, shell, input, out, err }) => {
    if (name === '') return 0
    throw new Exit(shell.program(name, rest, env, { input, out, err }))
  },
  eval: ({ args, shell, input, out, err }) => shell.run(args.join(' '), { input, out, err }),
  test: (call) => (truth(call, call.args) ? 0 : 1),
  '[': (call) => (truth(call, call.args.slice(0, -1)) ? 0 : 1)
}

function cd(call: Call): number {
  const path = absolute(call.cwd, call.args[0] ?? '/root')
  if (!entryAt(call.world, call.machine, path, call.now())?.dir) {
    return die(call, `${call.shell.label}: cd: ${call.args[0] ?? ''}: No such file or directory`, 1)
  }
  call.shell.state.cwd = path
  call.shell.state.vars['PWD'] = path
  return 0
}

function exported({ args, shell }: Call): number {
  for (const arg of args.filter((a) => !a.startsWith('-'))) {
    const [name = '', ...value] = arg.split('=')
    if (arg.includes('=')) shell.state.vars[name] = value.join('=')
    if (!shell.state.exported.includes(name)) shell.state.exported.push(name)
  }
  return 0
}

function commandBuiltin(call: Call): number {
  if (call.args[0] === '-v' || call.args[0] === '-V') return whereIs({ ...call, args: call.args.slice(1) })
  const [name = '', ...rest] = call.args
  return name === '' ? 0 : call.shell.program(name, rest, call.env, call)
}

function whereIs(call: Call): number {
  let status = 0
  for (const name of call.args) {
    if (Object.hasOwn(builtins, name)) call.out(`${name}\n`)
    else if (call.shell.find(name)) call.out(`/usr/bin/${name}\n`)
    else status = 1
  }
  return status
}

/** `test`: files, strings, numbers, with `!`, `-a` and `-o`. */
function truth(call: Call, args: readonly string[]): boolean {
  const or = args.indexOf('-o')
  if (or > 0) return truth(call, args.slice(0, or)) || truth(call, args.slice(or + 1))
  const and = args.indexOf('-a')
  if (and > 0) return truth(call, args.slice(0, and)) && truth(call, args.slice(and + 1))
  if (args[0] === '!') return !truth(call, args.slice(1))
  const [a = '', b = '', c = ''] = args
  if (args.length <= 1) return a !== ''
  return args.length === 2 ? unary(call, a, b) : compare(a, b, c)
}

function unary(call: Call, operator: string, operand: string): boolean {
  if (operator === '-n') return operand !== ''
  if (operator === '-z') return operand === ''
  const path = absolute(call.cwd, operand)
  const entry = entryAt(call.world, call.machine, path, call.now())
  switch (operator) {
    case '-e':
    case '-r':
    case '-w':
      return entry !== null
    case '-f':
      return entry !== null && !entry.dir
    case '-d':
      return entry?.dir ?? false
    case '-x':
      return entry !== null && (entry.dir || (entry.mode & 0o111) !== 0)
    case '-s':
      return (readFile(call.world, call.machine, path, call.now()) ?? '') !== ''
    default:
      return false
  }
}

function compare(a: string, operator: string, b: string): boolean {
  const table: Readonly<Record<string, boolean>> = {
    '=': a === b,
    '==': a === b,
    '!=': a !== b,
    '-eq': Number(a) === Number(b),
    '-ne': Number(a) !== Number(b),
    '-lt': Number(a) < Number(b),
    '-le': Number(a) <= Number(b),
    '-gt': Number(a) > Number(b),
    '-ge': Number(a) >= Number(b)
  }
  return table[operator] ?? false
}
