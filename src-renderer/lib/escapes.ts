/** A stretch of a command as it is shown. */
export interface Stretch {
  /** `escape`: a character that cannot be seen; `foreign`: one that may be taken for another. */
  readonly kind: 'plain' | 'escape' | 'foreign'
  readonly text: string
  /** True when a line break follows on the screen, as it does in the command. */
  readonly breaks: boolean
}

/**
 * Characters that hide, reorder or break what is read: controls, format and bidi marks, separators,
 * every space but the plain one, unassigned and private code points, lone surrogates, variation
 * selectors, and letters that are drawn as nothing.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/u
const ascii = /^[\u0020-\u007e]$/

const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u001b': '\\e',
  '\0': '\\0'
}

/** Writes a character so that it can be read: `\n`, `\u{202E}`. */
export const escapeOf = (char: string): string =>
  named[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`

const kindOf = (char: string): Stretch['kind'] =>
  ascii.test(char) ? 'plain' : unseen.test(char) ? 'escape' : 'foreign'

/** Splits text so that everything in it can be seen. */
export function stretches(text: string): Stretch[] {
  const found: Stretch[] = []
  let plain = ''
  let kind: Stretch['kind'] = 'plain'
  const flush = () => {
    if (plain !== '') found.push({ kind, text: plain, breaks: false })
    plain = ''
  }
  for (const char of text) {
    const next = kindOf(char)
    if (next === 'escape') {
      flush()
      found.push({ kind: 'escape', text: escapeOf(char), breaks: char === '\n' })
      continue
    }
    if (next !== kind) flush()
    kind = next
    plain += char
  }
  flush()
  return found
}

/** The same as one string, for places without markup such as labels. */
export const visible = (text: string): string =>
  stretches(text)
    .map((stretch) => stretch.text)
    .join('')
