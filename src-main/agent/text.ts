import { redact } from '../base/redact'
import { redactDeep } from '../base/redact-deep'

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text that every database, protocol and model takes: no half of a surrogate pair, no NUL. */
export const wellFormed = (text: string): string =>
  text.replace(loneSurrogate, '\ufffd').replaceAll('\0', '\ufffd')

/** Splits off a high surrogate at the end, whose other half may come with the next piece. */
export function splitAtPair(text: string): { readonly whole: string; readonly rest: string } {
  const last = text.charCodeAt(text.length - 1)
  const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
  return { whole: text.slice(0, cut), rest: text.slice(cut) }
}

/** At most `max` characters: the head, a word about what was left out, the tail. */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text
  const tail = Math.floor(max / 4)
  const head = max - tail
  const cut = text.length - max
  return `${text.slice(0, head)}\n[… ${cut} characters left out by Nomos …]\n${text.slice(text.length - tail)}`
}

/** The start of a text in one line, cut at a word. */
export function firstWords(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const cut = line.slice(0, max)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > max / 2 ? space : max).trimEnd()}…`
}

/** A JSON value without secrets, all of it well-formed. */
export const withoutSecrets = (value: unknown): unknown =>
  redactDeep(value, (text) => wellFormed(redact(text)))

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}
