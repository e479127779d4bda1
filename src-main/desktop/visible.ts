/** What a line must not hide: controls, direction marks, zero-width and tag characters, blanks other than a space. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' }

/** The text with everything invisible written as an escape. */
export const visible = (text: string): string =>
  text.replace(
    hidden,
    (character) => named[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`
  )
