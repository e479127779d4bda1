import { programsIn } from '../shell/programs'

/** Longest command line that is said as it is, in characters. */
const longest = 60

/** Programs that are named of a script. */
const mostNamed = 3

/**
 * A command in a few words, for a sentence that is read in seconds; the exact commands stand below it.
 * A short one is said as it is, a script by its length and the programs it begins with.
 */
export function sayCommand(argv: readonly string[]): string {
  const script = scriptOf(argv)
  return script === null ? sayLine(argv.join(' ')) : sayScript(script)
}

/** As `sayCommand`, for a text that a shell runs. */
export function sayScript(script: string): string {
  const lines = script.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  if (lines.length <= 1 && (lines[0] ?? '').trim().length <= longest) return `"${(lines[0] ?? '').trim()}"`
  const length = lines.length === 1 ? 'a long shell command' : `a shell script of ${lines.length} lines`
  const named = programsIn(script)
  const more = named.length > mostNamed ? ' …' : ''
  return named.length === 0 ? length : `${length} (${named.slice(0, mostNamed).join(', ')}${more})`
}

function sayLine(line: string): string {
  const text = line.replace(/\s+/g, ' ').trim()
  return text.length <= longest ? `"${text}"` : `"${text.slice(0, longest - 1)}…"`
}

/** The script of `sh -c SCRIPT` and the like; null for any other program. */
function scriptOf(argv: readonly string[]): string | null {
  const [program = '', ...rest] = argv
  if (!/(?:^|\/)(?:sh|bash|dash|ash|zsh)$/.test(program)) return null
  const at = rest.findIndex((word) => /^-[a-z]*c$/.test(word))
  return at < 0 ? null : (rest[at + 1] ?? null)
}
