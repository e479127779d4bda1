import { programsIn } from '../shell/programs'

/** Longest command line that is said as it is, in characters. */
const longest = 60

/** Programs that are named of a script. */
const mostNamed = 3

/** A command in short: as it is, or, of a script, its length and the programs it begins with. */
export type ShortCommand =
  | { readonly line: string }
  | { readonly lines: number; readonly programs: readonly string[]; readonly more: boolean }

/**
 * A command in a few words, for a sentence that is read in seconds; the exact commands stand below it.
 * A short one is said as it is, a script by its length and the programs it begins with.
 */
export function shortCommand(argv: readonly string[]): ShortCommand {
  const script = scriptOf(argv)
  return script === null ? { line: shortLine(argv.join(' ')) } : shortScript(script)
}

/** As `shortCommand`, for a text that a shell runs. */
export function shortScript(script: string): ShortCommand {
  const lines = script.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  const [first = ''] = lines
  if (lines.length <= 1 && first.trim().length <= longest) return { line: first.trim() }
  const named = programsIn(script)
  return { lines: lines.length, programs: named.slice(0, mostNamed), more: named.length > mostNamed }
}

/** It in English, for a sentence. */
export function sayShort(short: ShortCommand): string {
  if ('line' in short) return `"${short.line}"`
  const length = short.lines === 1 ? 'a long shell command' : `a shell script of ${short.lines} lines`
  return short.programs.length === 0
    ? length
    : `${length} (${short.programs.join(', ')}${short.more ? ' …' : ''})`
}

function shortLine(line: string): string {
  const text = line.replace(/\s+/g, ' ').trim()
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}

/** The script of `sh -c SCRIPT` and the like; null for any other program. */
function scriptOf(argv: readonly string[]): string | null {
  const [program = '', ...rest] = argv
  if (!/(?:^|\/)(?:sh|bash|dash|ash|zsh)$/.test(program)) return null
  const at = rest.findIndex((word) => /^-[a-z]*c$/.test(word))
  return at < 0 ? null : (rest[at + 1] ?? null)
}
