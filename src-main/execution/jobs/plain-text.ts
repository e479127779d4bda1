import { stripVTControlCharacters } from 'node:util'

/** Bidirectional and invisible characters, which can make text look like what it is not. */
const invisible =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u{e0000}|[\u{e0001}-\u{e007f}]/gu

const control = /[\u0000-\u0008\u000b-\u001d\u001f\u007f-\u009f]/g

/** Output as plain text: no escape sequences, of a line rewritten with `\r` its last form, step marks as headings. */
export function plainText(raw: string): string {
  return stripVTControlCharacters(raw)
    .split('\n')
    .map(lastForm)
    .join('\n')
    .replace(/\u001estep ([^\n]*)/g, '── $1 ──')
    .replace(invisible, '')
    .replace(control, '')
    .replaceAll('\u001e', '')
}

function lastForm(line: string): string {
  if (!line.includes('\r')) return line
  const forms = line.split('\r').filter((form) => form !== '')
  return forms.at(-1) ?? ''
}
