/** `word` in any case, for an expression that tells cases apart elsewhere. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`)

const long = [
  'passwor[dt]',
  'passwd',
  'passphrase',
  'kennwort',
  'secret',
  'token',
  'credential',
  'api[_-]?key',
  'access[_-]?key',
  'auth[_-]?key',
  'private[_-]?key',
  'encryption[_-]?key'
].map((word) => anyCase(word))
const short = ['psk', 'pass', 'pwd']
/** Words that name a secret; the short ones only where they stand for themselves, as in `DB_PASS`, `dbPass`, not in "compass". */
const named = `(?:${long.join('|')}|(?<![A-Za-z])(?:${short.map(anyCase).join('|')})(?![A-Za-z])|(?<=[a-z])(?:Pass|Pwd|Psk)(?![a-z]))`

const secretName = new RegExp(named)
/** Counts and references, such as `max_tokens` and `secretName`. */
const harmlessName = /tokens$|(?:count|limit|name|expir\w*|type|policy|length)$/i

/** Whether a field of this name holds a secret. */
export const namesSecret = (name: string): boolean => secretName.test(name) && !harmlessName.test(name)

/** What stands in a secret's place without being one: nothing, a switch, a reference to where it is kept. */
const harmlessValue =
  /^(?:\s*|true|false|yes|no|on|off|null|none|\*+|\[[^\]]*removed[^\]]*\]|(?:env|keychain):[\w.-]+)$/i
export const isHarmless = (value: string): boolean => harmlessValue.test(value)

export const removed = '[removed]'

/**
 * A name of a secret with what may stand between it and its value: quotes at any depth of JSON in JSON, `:` or `=`, the
 * `value` of a pair, or the blank behind a command's option.
 */
const field = new RegExp(
  `(?:(?<option>--${'[A-Za-z0-9-]{0,30}?'})|(?<prefix>))${named}(?<rest>[A-Za-z0-9_.-]{0,40})` +
    `(?:\\\\*["']?[ \\t]{0,20}(?:=>|[:=])[ \\t]{0,20}|\\\\*["']?\\s{0,40},?\\s{0,40}\\\\*["']?value\\\\*["']?[ \\t]{0,20}[:=][ \\t]{0,20}|[ \\t]{1,4}(?=[^\\s-]))`,
  'g'
)

/** Removes the values of fields whose name says that they are secret: JSON, YAML, env files, INI, options, addresses. */
export function withoutFieldValues(text: string): string {
  let out = ''
  let from = 0
  field.lastIndex = 0
  for (let match = field.exec(text); match; match = field.exec(text)) {
    const start = match.index + match[0].length
    const isOption = match.groups?.['option'] !== undefined
    // A blank alone separates an option from its value, and nothing else.
    if (!isOption && !/[:=]/.test(match[0])) continue
    const end = endOfValue(text, match.index, start, /=$/.test(match[0].trimEnd()) || isOption)
    if (end === null) continue
    const [open, value, close] = end
    if (isHarmless(value) || (/tokens?$/i.test(nameIn(match)) && /^\d{1,6}$/.test(value))) continue
    out += text.slice(from, start) + open + removed + close
    from = field.lastIndex = start + open.length + value.length + close.length
  }
  return out + text.slice(from)
}

const nameIn = (match: RegExpExecArray): string => /^[-\w.]+/.exec(match[0])?.[0] ?? ''

type Value = readonly [open: string, value: string, close: string]

/** The value that starts at `start`, without its quotes; null when none is there. */
function endOfValue(text: string, name: number, start: number, assigned: boolean): Value | null {
  const ahead = text.slice(start, start + longest)
  const quote = /^(\\*)(["'`])/.exec(ahead)
  if (quote?.[2] === '"') return quoted(ahead, quote[0], quote[1]?.length ?? 0)
  if (quote) return ['', /^\\*'(?:[^']|'\\''|'')*'?|^\\*`[^`]*`?/.exec(ahead)?.[0] ?? '', '']
  const block = /^[|>][+-]?\d?[ \t]*(?:#[^\n]*)?\r?\n/.exec(ahead)
  if (block && !assigned) return blockOf(text, name, ahead, block[0])
  const list = /^\[\s*["'][^\]]*\]?/.exec(ahead)
  if (list) return ['', list[0], '']
  if (/^\{/.test(ahead)) return null
  const lineStart = /^[ \t]*(?:[-#;][ \t]+|export[ \t]+|set[ \t]+)?[\w.-]*$/.test(
    text.slice(Math.max(text.lastIndexOf('\n', name - 1) + 1, name - 200), name)
  )
  const whole = lineStart && (!assigned || /[ \t]$/.test(text.slice(start - 1, start)))
  const bare = whole
    ? /^[^\r\n]*?(?=\s+#|\s*$|\s*[\r\n])/.exec(ahead)
    : /^(?:\\.|[^\s"'`,;&<>)\]}\\])+/.exec(ahead)
  const value = bare?.[0] ?? ''
  const before = text[start - 1] ?? ''
  const least = lineStart || assigned ? 1 : 4
  return value.length >= least && before !== '\n' ? ['', value, ''] : null
}

/** Characters of one value at most. */
const longest = 16_384

/** Up to the closing quote, which has as many backslashes before it as the opening one, or is escaped itself. */
function quoted(ahead: string, open: string, depth: number): Value {
  const step = 2 * (depth + 1)
  for (let at = ahead.indexOf('"', open.length); at !== -1; at = ahead.indexOf('"', at + 1)) {
    let slashes = 0
    while (at - slashes - 1 >= open.length && ahead[at - slashes - 1] === '\\') slashes++
    if (slashes < depth || (slashes - depth) % step !== 0) continue
    return [open, ahead.slice(open.length, at - depth), ahead.slice(at - depth, at + 1)]
  }
  const line = ahead.search(/[\r\n]/)
  return [open, ahead.slice(open.length, line === -1 ? undefined : line), '']
}

/** A block of YAML: the lines that are indented more than the line of its name. */
function blockOf(text: string, name: number, ahead: string, head: string): Value {
  const line = text.lastIndexOf('\n', name - 1) + 1
  const indent = /^[ \t]*/.exec(text.slice(line, name))?.[0].length ?? 0
  const body = new RegExp(`^(?:[ \\t]{${indent + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\r?\\n)*`).exec(
    ahead.slice(head.length)
  )
  const value = (body?.[0] ?? '').trimEnd()
  const inner = ' '.repeat(indent + 2)
  return [`${head}${inner}`, value.slice(inner.length), '']
}
