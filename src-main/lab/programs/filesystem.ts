import { absolute, baseOf, childrenOf, entryAt, glob, parentOf, readFile } from '../shell/files'
import { type Call, die, type Programs } from '../shell/program'
import type { FileEntry } from '../world/types'
import { options } from './options'

/** Programs that look at or change files and folders. */
export const filePrograms: Programs = {
  ls: { run: ls },
  mkdir: { run: mkdir },
  rm: { run: rm },
  rmdir: { run: rm },
  cp: { run: (call) => copy(call, false) },
  mv: { run: (call) => copy(call, true) },
  install: { run: install },
  ln: { run: (call) => copy({ ...call, args: call.args.filter((arg) => !arg.startsWith('-')) }, false) },
  touch: { run: touch },
  chmod: { run: chmod },
  chown: { run: (call) => onAll(call, options(call.args).rest.slice(1), () => undefined) },
  stat: { run: stat },
  readlink: { run: (call) => (call.out(`${absolute(call.cwd, options(call.args).rest[0] ?? '')}\n`), 0) },
  realpath: { run: (call) => (call.out(`${absolute(call.cwd, options(call.args).rest[0] ?? '')}\n`), 0) },
  basename: { run: ({ args, out }) => (out(`${baseOf(args[0] ?? '')}\n`), 0) },
  dirname: { run: ({ args, out }) => (out(`${parentOf(args[0] ?? '/')}\n`), 0) },
  mktemp: { run: mktemp },
  find: { run: find },
  du: { run: du },
  tar: { run: tar },
  pwd: { run: ({ cwd, out }) => (out(`${cwd}\n`), 0) }
}

const look = (call: Call, name: string): FileEntry | null =>
  entryAt(call.world, call.machine, absolute(call.cwd, name), call.now())

function put(call: Call, path: string, entry: Partial<FileEntry>): void {
  const file = { content: '', mode: entry.dir ? 0o755 : 0o644, dir: false, at: call.now(), ...entry }
  call.change({ do: 'file.put', machine: call.machine.id, path, file })
}

function onAll(call: Call, names: readonly string[], act: (path: string, entry: FileEntry) => void): number {
  let status = 0
  for (const name of names) {
    const entry = look(call, name)
    if (entry) act(absolute(call.cwd, name), entry)
    else status = die(call, `${call.name}: cannot access '${name}': No such file or directory`, 1)
  }
  return status
}

const modeText = (entry: FileEntry): string =>
  (entry.dir ? 'd' : '-') +
  [6, 3, 0]
    .map((shift) => (entry.mode >> shift) & 7)
    .map((n) => (n & 4 ? 'r' : '-') + (n & 2 ? 'w' : '-') + (n & 1 ? 'x' : '-'))
    .join('')

function ls(call: Call): number {
  const opts = options(call.args)
  const names = opts.rest.length > 0 ? opts.rest : ['.']
  const show = (path: string, name: string) => {
    const entry = look(call, path)
    if (!opts.has('l') || !entry) return call.out(`${name}\n`)
    const date = new Date(entry.at).toISOString().slice(0, 16).replace('T', ' ')
    call.out(`${modeText(entry)} 1 root root ${String(entry.content.length).padStart(6)} ${date} ${name}\n`)
  }
  const isHeaded = names.length > 1 || opts.has('R')
  let isFirst = true
  const folder = (path: string, name: string) => {
    if (isHeaded) call.out(`${isFirst ? '' : '\n'}${name}:\n`)
    isFirst = false
    const children = childrenOf(call.machine, path).filter(
      (child) => opts.has('a', 'A') || !child.startsWith('.')
    )
    if (opts.has('l')) call.out(`total ${children.length * 4}\n`)
    const inside = children.map((child) => ({ child, at: `${path === '/' ? '' : path}/${child}` }))
    for (const { child, at } of inside) show(at, child)
    if (opts.has('R'))
      for (const { child, at } of inside) if (look(call, at)?.dir) folder(at, `${name}/${child}`)
  }
  let status = 0
  for (const name of names) {
    const entry = look(call, name)
    const path = absolute(call.cwd, name)
    if (!entry) status = die(call, `ls: cannot access '${name}': No such file or directory`, 2)
    else if (!entry.dir || opts.has('d')) show(path, name)
    else folder(path, name)
  }
  return status
}

function mkdir(call: Call): number {
  const opts = options(call.args, ['m', 'mode'])
  let status = 0
  for (const name of opts.rest) {
    const path = absolute(call.cwd, name)
    const existing = look(call, name)
    if (existing && !(opts.has('p') && existing.dir))
      status = die(call, `mkdir: cannot create directory ‘${name}’: File exists`, 1)
    else if (!existing && !opts.has('p') && !look(call, parentOf(path))?.dir) {
      status = die(call, `mkdir: cannot create directory ‘${name}’: No such file or directory`, 1)
    } else if (!existing) put(call, path, { dir: true, mode: parseInt(opts.value('m', 'mode') ?? '755', 8) })
  }
  return status
}

function rm(call: Call): number {
  const opts = options(call.args)
  let status = 0
  for (const name of opts.rest) {
    const path = absolute(call.cwd, name)
    const entry = look(call, name)
    if (!entry) {
      if (!opts.has('f')) status = die(call, `rm: cannot remove '${name}': No such file or directory`, 1)
    } else if (entry.dir && !opts.has('r', 'R') && call.name === 'rm') {
      status = die(call, `rm: cannot remove '${name}': Is a directory`, 1)
    } else {
      const below = Object.keys(call.machine.files).filter(
        (other) => other === path || other.startsWith(`${path}/`)
      )
      for (const gone of below) call.change({ do: 'file.remove', machine: call.machine.id, path: gone })
    }
  }
  return status
}

function copy(call: Call, move: boolean): number {
  const names = options(call.args).rest
  const to = names.at(-1) ?? ''
  let status = 0
  for (const name of names.slice(0, -1)) {
    const from = absolute(call.cwd, name)
    const target = look(call, to)?.dir ? absolute(call.cwd, `${to}/${baseOf(from)}`) : absolute(call.cwd, to)
    if (!look(call, name)) {
      status = die(call, `${call.name}: cannot stat '${name}': No such file or directory`, 1)
      continue
    }
    if (!look(call, parentOf(target))?.dir) {
      status = die(call, `${call.name}: cannot create '${to}': No such file or directory`, 1)
      continue
    }
    const below = Object.keys(call.machine.files).filter(
      (other) => other === from || other.startsWith(`${from}/`)
    )
    const sources = below.length > 0 ? below : [from]
    for (const source of sources) {
      const content = readFile(call.world, call.machine, source, call.now()) ?? ''
      const entry = call.machine.files[source] ?? { content, mode: 0o644, dir: false }
      put(call, target + source.slice(from.length), {
        ...entry,
        content: entry.dir ? '' : content,
        at: call.now()
      })
    }
    if (move)
      for (const source of below) call.change({ do: 'file.remove', machine: call.machine.id, path: source })
  }
  return status
}

function install(call: Call): number {
  const opts = options(call.args, ['m', 'mode', 'o', 'g'])
  const mode = parseInt(opts.value('m', 'mode') ?? '755', 8)
  if (opts.has('d')) return mkdir({ ...call, args: ['-p', '-m', mode.toString(8), ...opts.rest] })
  const status = copy({ ...call, args: opts.rest }, false)
  if (status === 0) chmod({ ...call, args: [mode.toString(8), opts.rest.at(-1) ?? ''] })
  return status
}

function touch(call: Call): number {
  for (const name of options(call.args).rest) {
    const path = absolute(call.cwd, name)
    if (!look(call, parentOf(path))?.dir)
      return die(call, `touch: cannot touch '${name}': No such file or directory`, 1)
    put(call, path, { ...(look(call, name) ?? {}), at: call.now() })
  }
  return 0
}

function chmod(call: Call): number {
  const [mode = '', ...names] = call.args.filter((arg) => !/^-[a-zA-Z]+$/.test(arg) || /^-[rwx]+$/.test(arg))
  return onAll(call, names, (path, entry) => {
    const octal = /^[0-7]{3,4}$/.test(mode)
      ? parseInt(mode, 8)
      : mode.includes('+x')
        ? entry.mode | 0o111
        : entry.mode
    put(call, path, { ...entry, mode: octal })
  })
}

function stat(call: Call): number {
  const opts = options(call.args, ['c', 'format'])
  const format = opts.value('c', 'format')
  return onAll(call, opts.rest, (path, entry) => {
    const fields: Readonly<Record<string, string>> = {
      '%a': entry.mode.toString(8),
      '%s': String(Buffer.byteLength(entry.content)),
      '%n': path,
      '%U': 'root',
      '%G': 'root',
      '%Y': String(Math.floor(entry.at / 1000)),
      '%F': entry.dir ? 'directory' : 'regular file',
      '%A': modeText(entry)
    }
    if (format !== undefined) call.out(`${format.replace(/%[a-zA-Z]/g, (key) => fields[key] ?? key)}\n`)
    else
      call.out(
        `  File: ${path}\n  Size: ${fields['%s'] ?? ''}\t${fields['%F'] ?? ''}\nAccess: (${fields['%a'] ?? ''}/${fields['%A'] ?? ''})  Uid: (    0/    root)   Gid: (    0/    root)\n`
      )
  })
}

function mktemp(call: Call): number {
  const opts = options(call.args, ['p', 'tmpdir'])
  const template = opts.rest[0] ?? '/tmp/tmp.XXXXXXXXXX'
  const path = absolute(opts.value('p') ?? '/tmp', template.replace(/X{3,}/, `lab${call.recording.number()}`))
  put(call, path, { dir: opts.has('d'), mode: opts.has('d') ? 0o700 : 0o600 })
  call.out(`${path}\n`)
  return 0
}

function find(call: Call): number {
  const roots = call.args.slice(
    0,
    Math.max(0, call.args.findIndex((arg) => arg.startsWith('-')) + 1 || call.args.length + 1) - 1
  )
  const after = (flag: string) =>
    call.args.includes(flag) ? call.args[call.args.indexOf(flag) + 1] : undefined
  const name = after('-name')
  const type = after('-type')
  for (const root of roots.length > 0 ? roots : ['.']) {
    const base = absolute(call.cwd, root)
    const below = Object.keys(call.machine.files).filter(
      (path) => path === base || path.startsWith(base === '/' ? '/' : `${base}/`)
    )
    const named =
      name === undefined
        ? below
        : below.filter((path) => glob(call.machine, parentOf(path), name).includes(path))
    for (const path of named.sort()) {
      if (type === undefined || (type === 'd') === (call.machine.files[path]?.dir ?? false))
        call.out(`${path}\n`)
    }
  }
  return 0
}

function du(call: Call): number {
  const names = options(call.args, ['d', 'max-depth']).rest
  return onAll(call, names.length > 0 ? names : ['.'], (path) => {
    const below = Object.entries(call.machine.files).filter(
      ([other]) => other === path || other.startsWith(`${path}/`)
    )
    const kib = below.reduce((sum, [, entry]) => sum + 4 + Math.ceil(entry.content.length / 1024), 0)
    call.out(`${call.args.some((arg) => /^-[a-z]*h/.test(arg)) ? `${kib}K` : kib}\t${path}\n`)
  })
}

/** Unpacks what the lab's `curl` has downloaded: an archive's content is a list of its files. */
function tar(call: Call): number {
  const opts = options(
    call.args.map((arg, i) => (i === 0 && /^[a-z]+$/.test(arg) ? `-${arg}` : arg)),
    ['f', 'C', 'directory', 'file', 'strip-components']
  )
  const name = opts.value('f', 'file') ?? '-'
  const archive =
    name === '-' ? call.input.all() : readFile(call.world, call.machine, absolute(call.cwd, name), call.now())
  if (archive === null)
    return die(
      call,
      `tar: ${name}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now`,
      2
    )
  if (!archive.startsWith('lab-archive\n'))
    return die(
      call,
      'tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors',
      2
    )
  const into = absolute(call.cwd, opts.value('C', 'directory') ?? '.')
  if (!look(call, into)?.dir) return die(call, `tar: ${into}: Cannot open: No such file or directory`, 2)
  const strip = Number(opts.value('strip-components') ?? 0)
  call.wait(600)
  for (const path of archive.split('\n').slice(1).filter(Boolean)) {
    const inside = path.split('/').slice(strip).join('/')
    if (inside === '') continue
    if (opts.has('v')) call.out(`${path}\n`)
    if (!opts.has('t'))
      put(call, `${into}/${inside}`.replace(/\/+/g, '/'), { content: `contents of ${baseOf(path)}\n` })
  }
  return 0
}
