import type { Argument } from './classify'
import type { ReasonId } from './reasons'

/** What a command hands on to be run. */
export interface Unwrapped {
  /** Argument lists, or texts for a shell. */
  readonly runs: readonly (readonly Argument[] | string)[]
  /** Why it counts as a change even when what it runs only reads; null for wrappers that add nothing. */
  readonly changes: ReasonId | null
  /** Further words for the command are read from somewhere. */
  readonly readsWords?: boolean
}

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued: readonly string[]
  /** Words between the options and the command. */
  readonly skip: number
  readonly changes: ReasonId | null
  /** Options under which it still adds nothing; with any other one it counts as a change. */
  readonly harmless?: RegExp
}

const other: ReasonId = 'unusual_way'

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: [
      '-u',
      '-g',
      '-h',
      '-p',
      '-C',
      '-r',
      '-t',
      '-T',
      '-D',
      '-R',
      '--user',
      '--group',
      '--host',
      '--prompt',
      '--chdir'
    ],
    skip: 0,
    changes: null,
    harmless: /^-n$/
  },
  doas: { valued: ['-u', '-C'], skip: 0, changes: other },
  env: { valued: ['-u', '--unset', '-C', '--chdir', '-S', '--split-string'], skip: 0, changes: other },
  nice: { valued: ['-n', '--adjustment'], skip: 0, changes: null, harmless: /^-n$|^-\d+$/ },
  ionice: {
    valued: ['-c', '-n', '-p', '-P', '-u', '--class', '--classdata'],
    skip: 0,
    changes: null,
    harmless: /^-[cn]\d?$/
  },
  timeout: {
    valued: ['-k', '-s', '--kill-after', '--signal'],
    skip: 1,
    changes: null,
    harmless: /^(-k|-s|--kill-after=.*|--signal=.*|--foreground|--preserve-status)$/
  },
  nohup: { valued: [], skip: 0, changes: 'background' },
  setsid: { valued: [], skip: 0, changes: 'background' },
  stdbuf: { valued: ['-i', '-o', '-e'], skip: 0, changes: other },
  time: { valued: ['-f', '-o', '--format', '--output'], skip: 0, changes: null, harmless: /^-p$/ },
  watch: { valued: ['-n', '-q', '--interval'], skip: 0, changes: 'never_ends' },
  chroot: { valued: [], skip: 1, changes: other },
  nsenter: {
    valued: ['-t', '-S', '-G', '-w', '-W', '--target', '--setuid', '--setgid'],
    skip: 0,
    changes: other
  },
  unshare: { valued: ['-S', '-G', '-R', '-w'], skip: 0, changes: other },
  flock: { valued: ['-w', '-E', '--timeout'], skip: 1, changes: other },
  taskset: { valued: [], skip: 1, changes: other },
  chrt: { valued: ['-T', '-P', '-D'], skip: 1, changes: other },
  setarch: { valued: [], skip: 1, changes: other },
  strace: { valued: ['-o', '-e', '-p', '-s', '-a', '-E', '-u'], skip: 0, changes: other },
  ltrace: { valued: ['-o', '-e', '-p', '-s'], skip: 0, changes: other },
  runuser: { valued: ['-u', '-g', '-G', '-s'], skip: 0, changes: other },
  'systemd-run': {
    valued: [
      '-p',
      '-u',
      '-E',
      '-M',
      '-H',
      '--unit',
      '--property',
      '--setenv',
      '--machine',
      '--on-active',
      '--slice'
    ],
    skip: 0,
    changes: other
  },
  'systemd-inhibit': { valued: [], skip: 0, changes: other },
  'lxc-attach': { valued: ['-n', '-P', '-s', '-u', '-g', '--name', '--lxcpath'], skip: 0, changes: other },
  xargs: {
    valued: [
      '-I',
      '-i',
      '-n',
      '-P',
      '-d',
      '-a',
      '-L',
      '-s',
      '-E',
      '--max-args',
      '--replace',
      '--delimiter',
      '--arg-file'
    ],
    skip: 0,
    changes: 'reads_words'
  },
  parallel: {
    valued: ['-j', '-I', '-a'],
    skip: 0,
    changes: 'reads_words'
  },
  command: { valued: [], skip: 0, changes: null, harmless: /^$/ },
  exec: { valued: ['-a'], skip: 0, changes: other },
  builtin: { valued: [], skip: 0, changes: other },
  busybox: { valued: [], skip: 0, changes: other },
  toybox: { valued: [], skip: 0, changes: other }
}

const shells = /^(sh|bash|dash|zsh|ksh|ash|fish)$/
/** A program of the system itself: no `..` leads out of the folder. */
export const systemPath = /^\/(usr\/)?s?bin\/[^/]+$/

/** The name of a program by its last part; a path that is not a system's one counts as another program. */
export const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1)

/** What the command runs in its turn; null when it does the work itself. */
export function unwrap(argv: readonly Argument[]): Unwrapped | null {
  const [first, ...rest] = argv
  if (!first) return null
  const name = programOf(first.value)
  const odd = first.value.includes('/') && !systemPath.test(first.value) ? 'unusual_path' : null
  const found =
    inShell(name, rest) ??
    inGuest(name, rest) ??
    inFind(name, rest) ??
    elsewhere(name, rest) ??
    plainWrapper(name, rest)
  return found && odd ? { ...found, changes: odd } : found
}

function plainWrapper(name: string, args: readonly Argument[]): Unwrapped | null {
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
  if (!wrapper) return null
  // `command -v` looks a program up and runs nothing.
  if (name === 'command' && /^-[vV]$/.test(args[0]?.value ?? '')) return { runs: [], changes: null }
  const runs: Argument[][] = []
  let { changes } = wrapper
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at]?.value ?? ''
    if (word === '--') {
      at++
      break
    }
    const isAssignment = (name === 'env' || name === 'sudo') && /^[A-Za-z_]\w*=/.test(word)
    if (!word.startsWith('-') && !isAssignment) break
    if (isAssignment || !wrapper.harmless?.test(word)) changes ??= other
    if (/^(-S|--split-string)$/.test(word) && name === 'env')
      runs.push((args[at + 1]?.value ?? '').split(/\s+/).map((value) => ({ value, plain: true })))
    if (wrapper.valued.includes(word)) at++
  }
  const inner = args.slice(at + wrapper.skip)
  if (inner.length === 0 && runs.length === 0)
    return name === 'env' || name === 'sudo'
      ? { runs: [], changes: changes ?? other }
      : { runs: [], changes: other }
  return {
    runs: [...runs, ...(inner.length > 0 ? [inner] : [])],
    changes,
    readsWords: name === 'xargs' || name === 'parallel'
  }
}

/** `sh -c TEXT`; a script from a file or from the input is not known. */
function inShell(name: string, args: readonly Argument[]): Unwrapped | null {
  if (name === 'eval' || name === 'source' || name === '.')
    return {
      runs: name === 'eval' ? [args.map((word) => word.value).join(' ')] : [],
      changes: 'built_text'
    }
  if (name === 'su') {
    const at = args.findIndex((word) => /^(-c|--command)$/.test(word.value))
    return { runs: at >= 0 ? [args[at + 1]?.value ?? ''] : [], changes: other }
  }
  if (!shells.test(name)) return null
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word.value))
  const text = at < 0 ? undefined : args[at + 1]
  if (!text) return { runs: [], changes: 'hidden_script' }
  const isPlain = at === 0 && args[0]?.value === '-c' && args.length === 2 && text.plain
  return { runs: [text.value], changes: isPlain ? null : 'shell_options' }
}

/** `pct exec ID -- …`, `qm guest exec ID -- …`, `docker exec …`. */
function inGuest(name: string, args: readonly Argument[]): Unwrapped | null {
  const words = args.map((word) => word.value)
  const [verb, second] = words
  if (name === 'pct' && verb === 'exec') {
    const dashes = words.indexOf('--')
    const start = dashes >= 0 ? dashes + 1 : 2
    const options = words.slice(2, dashes >= 0 ? dashes : 2)
    const known = options.length === 0 || (options.length === 2 && options[0] === '--keep-env')
    return { runs: [args.slice(start)], changes: known && /^\d+$/.test(second ?? '') ? null : other }
  }
  if (name === 'qm' && verb === 'guest' && second === 'exec') {
    const dashes = words.indexOf('--')
    return { runs: [args.slice(dashes >= 0 ? dashes + 1 : 3)], changes: other }
  }
  if ((name === 'docker' || name === 'podman') && (verb === 'exec' || verb === 'run')) {
    // Options of either may come first: every suffix that begins with a word is looked at.
    const rest = args.slice(1).filter((word) => !word.value.startsWith('-'))
    return { runs: [rest.slice(1), rest.slice(2)], changes: other }
  }
  return null
}

/** `find … -exec CMD ;`: the command of every action. */
function inFind(name: string, args: readonly Argument[]): Unwrapped | null {
  if (name !== 'find') return null
  const runs: Argument[][] = []
  args.forEach((word, index) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.value)) return
    const end = args.findIndex((other, at) => at > index && /^[;+]$/.test(other.value))
    runs.push(args.slice(index + 1, end < 0 ? args.length : end))
  })
  return runs.length > 0 ? { runs, changes: 'runs_on_found', readsWords: true } : null
}

/** `ssh HOST CMD`: another machine, whose command is looked at too. */
function elsewhere(name: string, args: readonly Argument[]): Unwrapped | null {
  if (name !== 'ssh') return null
  const valued = new Set('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'.split(' '))
  let at = 0
  while (at < args.length && (args[at]?.value ?? '').startsWith('-'))
    at += valued.has(args[at]?.value ?? '') ? 2 : 1
  const text = args
    .slice(at + 1)
    .map((word) => word.value)
    .join(' ')
  return { runs: text === '' ? [] : [text], changes: 'other_machine' }
}
