import { createHash } from 'node:crypto'
import { absolute, readFile } from '../shell/files'
import type { Call, Programs } from '../shell/program'
import { options } from './options'

/** Programs that read text and print text. */
export const textPrograms: Programs = {
  echo: { run: echo },
  printf: { run: ({ args, out }) => (out(formatted(args[0] ?? '', args.slice(1))), 0) },
  cat: { run: (call) => overFiles(call, operands(call.args), (text) => call.out(text)) },
  head: {
    run: (call) =>
      headTail(
        call,
        (lines, n) => lines.slice(0, n),
        (text, n) => text.slice(0, n)
      )
  },
  tail: { run: tail },
  grep: { run: grep },
  egrep: { run: grep },
  wc: { run: wc },
  sort: { run: sort },
  uniq: { run: uniq },
  cut: { run: cut },
  tr: { run: tr },
  tee: { run: tee },
  seq: { run: seq },
  base64: { run: base64 },
  sha256sum: { run: (call) => digest(call, 'sha256') },
  md5sum: { run: (call) => digest(call, 'md5') },
  xargs: { run: xargs }
}

const operands = (args: readonly string[]) => args.filter((arg) => arg === '-' || !arg.startsWith('-'))

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const joined = (lines: readonly string[]): string => (lines.length > 0 ? `${lines.join('\n')}\n` : '')

/** Reads the named files, or the input when none is named; says which are missing. */
function overFiles(call: Call, paths: readonly string[], use: (text: string, path: string) => void): number {
  if (paths.length === 0) {
    use(call.input.all(), '-')
    return 0
  }
  let status = 0
  for (const path of paths) {
    const text =
      path === '-'
        ? call.input.all()
        : readFile(call.world, call.machine, absolute(call.cwd, path), call.now())
    if (text !== null) use(text, path)
    else {
      call.err(`${call.name}: ${path}: No such file or directory\n`)
      status = 1
    }
  }
  return status
}

function echo({ args, out }: Call): number {
  const plain = args[0] === '-n' || args[0] === '-e' || args[0] === '-en' || args[0] === '-ne'
  const words = plain ? args.slice(1) : args
  const text = words.join(' ')
  out(
    (args[0]?.includes('e') && plain ? escaped(text) : text) + (plain && args[0]?.includes('n') ? '' : '\n')
  )
  return 0
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\x07',
  e: '\x1b',
  b: '\b'
}

/** Backslash escapes as `printf` takes them: `\n`, `\036`, `\x1b`. */
const escaped = (text: string): string =>
  text.replace(
    /\\(?:0?([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))/g,
    (whole, octal?: string, hex?: string, char?: string) => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8))
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16))
      return char !== undefined ? (escapes[char] ?? whole) : whole
    }
  )

/** `printf`: `%s %d %q %b %%` with widths; the format is used again while arguments are left. */
function formatted(format: string, args: readonly string[]): string {
  const left = [...args]
  let text = ''
  do {
    const before = left.length
    text += escaped(format).replace(/%(-?\d*)(?:\.\d+)?([sdiqbxc%])/g, (_, width: string, kind: string) => {
      if (kind === '%') return '%'
      const value = left.shift() ?? ''
      const shown =
        kind === 'd' || kind === 'i' ? String(Number(value) || 0) : kind === 'b' ? escaped(value) : value
      return width.startsWith('-') ? shown.padEnd(Number(width.slice(1))) : shown.padStart(Number(width) || 0)
    })
    if (left.length === before) break
  } while (left.length > 0)
  return text
}

function headTail(
  call: Call,
  pick: (lines: string[], n: number) => string[],
  pickBytes: (text: string, n: number) => string
): number {
  const given = call.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1'))
  const opts = options(given, ['n', 'c', 'lines', 'bytes'])
  const bytes = opts.value('c', 'bytes')
  const count = Number((opts.value('n', 'lines') ?? '10').replace(/^\+/, ''))
  return overFiles(call, opts.rest, (text) => {
    call.out(
      bytes !== undefined
        ? pickBytes(text, Number(bytes.replace(/^\+/, '')))
        : joined(pick(linesOf(text), count))
    )
  })
}

function tail(call: Call): number {
  const from = call.args.some(
    (arg, i) => /^-[nc]\+\d/.test(arg) || (/^-[nc]$/.test(arg) && call.args[i + 1]?.startsWith('+'))
  )
  if (from)
    return headTail(
      call,
      (lines, n) => lines.slice(n - 1),
      (text, n) => text.slice(n - 1)
    )
  return headTail(
    call,
    (lines, n) => (n === 0 ? [] : lines.slice(-n)),
    (text, n) => text.slice(-n)
  )
}

function grep(call: Call): number {
  const opts = options(call.args, ['e', 'm', 'A', 'B', 'C'])
  const [first = '', ...files] = opts.rest
  const pattern = opts.value('e') ?? first
  const paths = opts.value('e') !== undefined ? opts.rest : files
  const source = opts.has('F')
    ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    : opts.has('E', 'P') || call.name === 'egrep'
      ? pattern
      : basic(pattern)
  const regex = new RegExp(
    opts.has('w') ? `\\b(?:${source})\\b` : opts.has('x') ? `^(?:${source})$` : source,
    opts.has('i') ? 'i' : ''
  )
  let found = 0
  const status = overFiles(call, paths, (text) => {
    const hits = linesOf(text).filter((line) => regex.test(line) !== opts.has('v'))
    found += hits.length
    if (opts.has('q')) return
    if (opts.has('c')) call.out(`${hits.length}\n`)
    else if (opts.has('o')) call.out(joined(hits.map((line) => regex.exec(line)?.[0] ?? '')))
    else call.out(joined(hits.slice(0, Number(opts.value('m') ?? hits.length))))
  })
  return status !== 0 ? 2 : found > 0 ? 0 : 1
}

/** A basic regular expression in JavaScript's words: `\|`, `\(`, `\+` are operators, their bare forms are not. */
const basic = (pattern: string): string =>
  pattern.replace(
    /\\([|(){}+?])|([|(){}+?])/g,
    (_, operator?: string, bare?: string) => operator ?? `\\${bare ?? ''}`
  )

function wc(call: Call): number {
  const opts = options(call.args)
  return overFiles(call, opts.rest, (text, path) => {
    const counts = [
      opts.has('l') && (text.match(/\n/g)?.length ?? 0),
      opts.has('w') && (text.match(/\S+/g)?.length ?? 0),
      opts.has('c', 'm') && Buffer.byteLength(text)
    ].filter((n) => n !== false)
    const all =
      counts.length > 0
        ? counts
        : [text.match(/\n/g)?.length ?? 0, text.match(/\S+/g)?.length ?? 0, Buffer.byteLength(text)]
    call.out(`${all.join(' ')}${path === '-' ? '' : ` ${path}`}\n`)
  })
}

function sort(call: Call): number {
  const opts = options(call.args, ['k', 't'])
  const key = Number(opts.value('k')?.match(/\d+/)?.[0] ?? 0)
  const field = (line: string) =>
    key > 0 ? (line.trim().split(opts.value('t') ?? /\s+/)[key - 1] ?? '') : line
  return overFiles(call, opts.rest, (text) => {
    const numbers = opts.has('n') || /n/.test(opts.value('k') ?? '')
    const lines = linesOf(text).sort((a, b) =>
      numbers
        ? (parseFloat(field(a)) || 0) - (parseFloat(field(b)) || 0)
        : field(a) < field(b)
          ? -1
          : Number(field(a) > field(b))
    )
    if (opts.has('r') || /r/.test(opts.value('k') ?? '')) lines.reverse()
    call.out(joined(opts.has('u') ? [...new Set(lines)] : lines))
  })
}

function uniq(call: Call): number {
  const opts = options(call.args)
  return overFiles(call, opts.rest, (text) => {
    const runs: { line: string; count: number }[] = []
    for (const line of linesOf(text)) {
      const last = runs.at(-1)
      if (last?.line === line) last.count++
      else runs.push({ line, count: 1 })
    }
    call.out(
      joined(runs.map((run) => (opts.has('c') ? `${String(run.count).padStart(7)} ${run.line}` : run.line)))
    )
  })
}

function cut(call: Call): number {
  const opts = options(call.args, ['d', 'f', 'c', 'delimiter', 'fields'])
  const delimiter = opts.value('d', 'delimiter') ?? '\t'
  const ranges = (opts.value('f', 'fields', 'c') ?? '1').split(',').map((range) => {
    const [from = '', to] = range.split('-')
    return [Number(from) || 1, to === undefined ? Number(from) : Number(to) || Infinity] as const
  })
  return overFiles(call, opts.rest, (text) => {
    const lines = linesOf(text).map((line) => {
      const parts = opts.has('c') ? line.split('') : line.split(delimiter)
      const kept = parts.filter((_, index) =>
        ranges.some(([from, to]) => index + 1 >= from && index + 1 <= to)
      )
      return kept.join(opts.has('c') ? '' : delimiter)
    })
    call.out(joined(lines))
  })
}

function tr(call: Call): number {
  const opts = options(call.args)
  const [from = '', to = ''] = opts.rest.map((set) => characters(escaped(set)))
  const text = call.input.all()
  if (opts.has('d'))
    call.out(
      text
        .split('')
        .filter((c) => !from.includes(c))
        .join('')
    )
  else
    call.out(
      text
        .split('')
        .map((c) => (from.includes(c) ? (to[Math.min(from.indexOf(c), to.length - 1)] ?? '') : c))
        .join('')
    )
  return 0
}

const characters = (set: string): string =>
  set
    .replace('[:lower:]', 'a-z')
    .replace('[:upper:]', 'A-Z')
    .replace('[:space:]', ' \t\n')
    .replace(/(.)-(.)/g, (_, a: string, b: string) =>
      Array.from({ length: b.charCodeAt(0) - a.charCodeAt(0) + 1 }, (_unused, i) =>
        String.fromCharCode(a.charCodeAt(0) + i)
      ).join('')
    )

function tee(call: Call): number {
  const opts = options(call.args)
  const text = call.input.all()
  call.out(text)
  for (const name of opts.rest) {
    const path = absolute(call.cwd, name)
    const before = call.machine.files[path]
    const content = (opts.has('a') ? (before?.content ?? '') : '') + text
    call.change({
      do: 'file.put',
      machine: call.machine.id,
      path,
      file: { content, mode: before?.mode ?? 0o644, dir: false, at: call.now() }
    })
  }
  return 0
}

const seqLimit = 200_000

function seq({ args, out }: Call): number {
  const [a = 1, b] = args.map(Number)
  const [from, to] = b === undefined ? [1, a] : [a, b]
  const count = Math.max(0, Math.min(seqLimit, to - from + 1))
  out(joined(Array.from({ length: count }, (_, i) => String(from + i))))
  return 0
}

function base64(call: Call): number {
  const opts = options(call.args, ['w', 'wrap'])
  return overFiles(call, opts.rest, (text) => {
    if (opts.has('d', 'decode')) return call.out(Buffer.from(text, 'base64').toString('utf8'))
    const encoded = Buffer.from(text).toString('base64')
    call.out(opts.value('w', 'wrap') === '0' ? encoded : `${encoded.replace(/.{76}(?=.)/g, '$&\n')}\n`)
  })
}

const digest = (call: Call, kind: 'sha256' | 'md5'): number =>
  overFiles(call, operands(call.args), (text, path) =>
    call.out(`${createHash(kind).update(text).digest('hex')}  ${path}\n`)
  )

function xargs(call: Call): number {
  const opts = options(
    call.args.slice(0, call.args.findIndex((arg) => !arg.startsWith('-')) + 1 || undefined),
    ['n', 'I']
  )
  const start = call.args.findIndex((arg) => !arg.startsWith('-'))
  const [name = 'echo', ...fixed] = start < 0 ? [] : call.args.slice(start)
  const words = call.input.all().split(/\s+/).filter(Boolean)
  if (words.length === 0 && opts.has('r')) return 0
  return call.shell.program(name, [...fixed, ...words], call.env, call)
}
