/** Words that every shell takes literally, so that commands stay readable: `pct create 105 --cores 2`. */
const plain = /^[A-Za-z0-9_.,:/+-][A-Za-z0-9_.,:/+@%=-]*$/

/** Words that mean something else than a program when they stand first. */
const reserved = new Set(
  'if then else elif fi do done case esac while until for in function select time coproc'.split(' ')
)

/**
 * A word quoted once for a POSIX shell. A backslash that ends a quoted run, or stands before another one,
 * is moved outside the quotes: the fish shell would read it as an escape there, POSIX shells do not mind.
 * (csh refuses words with `!` or a line break instead of running something else.)
 * Throws RangeError on NUL, which no argument can carry.
 */
export function quoteArg(word: string): string {
  if (word.includes('\0')) throw new RangeError('an argument cannot contain a NUL character')
  if (plain.test(word)) return word
  return `'${word.replace(/'|\\(?=[\\']|$)/g, (special) => `'\\${special}'`)}'`
}

/** The command line of an argv, for a remote POSIX shell. Throws RangeError on NUL. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((word, index) => (index === 0 ? quoteProgram(word) : quoteArg(word))).join(' ')
}

/** The first word must not be taken for an assignment or a reserved word. */
function quoteProgram(word: string): string {
  const quoted = quoteArg(word)
  return quoted === word && (word.includes('=') || reserved.has(word)) ? `'${word}'` : quoted
}
