import { isHarmless, namesSecret, secretWords } from './secret-names'

/** What stands in the place of a secret. */
export const removed = '[removed]'

/** Characters of one value, and of one name, at most. */
const longestValue = 16_384
const longestName = 60

/** Where a value stands in a text: between what opens and what closes it. */
interface Value {
  readonly open: string
  readonly text: string
  readonly close: string
}

/** A field whose name says that it holds a secret. */
interface Field {
  readonly text: string
  readonly nameAt: number
  readonly name: string
  /** Where its value starts. */
  readonly valueAt: number
  /** What stands between the two. */
  readonly separator: string
}

/**
 * Removes the values of fields whose names say that they are secret: in JSON (also JSON inside JSON), YAML, env and INI
 * files, options of commands, queries of addresses, headers and XML. Takes time in proportion to the text.
 */
export function withoutFieldValues(text: string): string {
  const words = secretWords()
  let out = ''
  let from = 0
  for (let word = words.exec(text); word; word = words.exec(text)) {
    const field = fieldAt(text, word.index, word.index + word[0].length, from)
    const value = field && valueOf(field)
    if (!value || isHarmless(value.text)) continue
    out += text.slice(from, field.valueAt) + value.open + removed + value.close
    from = field.valueAt + value.open.length + value.text.length + value.close.length
    words.lastIndex = from
  }
  return out + text.slice(from)
}

const assigned = /^\\*["']?[ \t]{0,40}(?:=>|[:=])[ \t]{0,40}/
/** `"name": "DB_PASSWORD", "value": "…"` and the same in YAML. */
const paired = /^\\*["']?\s{0,40},?\s{0,40}\\*["']?value\\*["']?[ \t]{0,40}[:=][ \t]{0,40}/
const optionsBlank = /^[ \t]{1,4}(?=[^\s-])/
const xmlEnd = /^[^<>\n]{0,100}>/

function fieldAt(text: string, wordAt: number, wordEnd: number, from: number): Field | null {
  const before = /[\w.-]*$/.exec(text.slice(Math.max(from, wordAt - longestName), wordAt))?.[0] ?? ''
  const behind = /^[\w.-]*/.exec(text.slice(wordEnd, wordEnd + longestName))?.[0] ?? ''
  const nameAt = wordAt - before.length
  const nameEnd = wordEnd + behind.length
  const name = text.slice(nameAt, nameEnd)
  if (!namesSecret(name)) return null
  const ahead = text.slice(nameEnd, nameEnd + 200)
  const separator =
    (text[nameAt - 1] === '<' ? xmlEnd : null)?.exec(ahead) ??
    assigned.exec(ahead) ??
    paired.exec(ahead) ??
    (name.startsWith('--') ? optionsBlank.exec(ahead) : null)
  return separator && { text, nameAt, name, valueAt: nameEnd + separator[0].length, separator: separator[0] }
}

function valueOf(field: Field): Value | null {
  const ahead = field.text.slice(field.valueAt, field.valueAt + longestValue)
  if (ahead.startsWith(removed) || /^\[[^\]\n]{0,30} removed\]/.test(ahead)) return null
  const [, slashes, quote] = /^(\\*)(["'`])/.exec(ahead) ?? []
  if (quote === '"') return quoted(ahead, slashes?.length ?? 0)
  if (quote !== undefined) return bare(/^\\*'(?:[^']|'\\[^\n]'|'')*'?|^\\*`[^`]*`?/.exec(ahead))
  const block = /^[|>][+-]?\d?[ \t]*(?:#[^\n]*)?\r?\n/.exec(ahead)
  if (block) return yamlBlock(field, ahead, block[0])
  if (ahead.startsWith('{')) return null
  const list = /^\[\s*\\*["'][^\]]*\]?/.exec(ahead)
  return list ? bare(list) : unquoted(field, ahead)
}

const bare = (found: RegExpExecArray | null): Value | null => found && { open: '', text: found[0], close: '' }

/** Up to the closing quote: it has as many backslashes before it as the opening one, or is no escaped one. */
function quoted(ahead: string, depth: number): Value {
  const open = ahead.slice(0, depth + 1)
  for (let at = ahead.indexOf('"', open.length); at !== -1; at = ahead.indexOf('"', at + 1)) {
    let slashes = 0
    while (at - slashes > open.length && ahead[at - slashes - 1] === '\\') slashes++
    if (slashes >= depth && (slashes - depth) % (2 * (depth + 1)) === 0)
      return { open, text: ahead.slice(open.length, at - depth), close: ahead.slice(at - depth, at + 1) }
  }
  const line = ahead.search(/[\r\n]/)
  return { open, text: ahead.slice(open.length, line === -1 ? undefined : line), close: '' }
}

/** A block of YAML: the lines that are indented more than the line of its name. */
function yamlBlock({ text, nameAt }: Field, ahead: string, head: string): Value {
  const line = /[^\n]*$/.exec(text.slice(Math.max(0, nameAt - longestName), nameAt))?.[0] ?? ''
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
  const deeper = new RegExp(`^(?:[ \\t]{${indent + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\r?\\n)*`)
  const body = deeper.exec(ahead.slice(head.length))?.[0].trimEnd() ?? ''
  const margin = /^\s*/.exec(body)?.[0] ?? ''
  return { open: head + margin, text: body.slice(margin.length), close: '' }
}

/** A line that begins with the name, as in YAML, env and INI files. */
const lineStart = /[\r\n][ \t]*(?:[-#;][ \t]+|export[ \t]+|set[ \t]+)?$/
const listItem = /[\r\n][ \t]*-[ \t]+$/

function unquoted({ text, nameAt, separator }: Field, ahead: string): Value | null {
  const before = (nameAt <= longestName ? '\n' : '') + text.slice(Math.max(0, nameAt - longestName), nameAt)
  const around = /["']$/.exec(before)?.[0]
  if (separator.endsWith('>')) return bare(/^[^<]+/.exec(ahead))
  // "DB_PASSWORD=two words", as in a unit's Environment= or behind -e.
  if (separator === '=' && around !== undefined)
    return bare(new RegExp(`^(?:\\\\[^\\n]|[^${around}\\\\\\r\\n])+`).exec(ahead))
  const startsLine = lineStart.test(before) || separator.includes('\n')
  if (startsLine && (separator !== '=' || listItem.test(before)))
    return bare(/^[^\r\n]*?(?=\s+#|[ \t]*[\r\n]|\s*$)/.exec(ahead))
  if (startsLine) return bare(/^\S+/.exec(ahead))
  const isColon = /:[ \t]*$/.test(separator)
  const word = (isColon ? /^(?:\\[^\n]|[^\s"'`,;&<>\\])+/ : /^(?:\\[^\n]|[^\s"'`;&<>\\])+/).exec(ahead)?.[0]
  const inline = word?.replace(/[)\]}]+$/, '') ?? ''
  // A colon without a quoted name before it may be one of prose.
  const least = isColon && !/^\\*["']/.test(separator) ? 4 : 1
  return inline.length >= least ? { open: '', text: inline, close: '' } : null
}
