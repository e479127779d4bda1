import { isDiff } from './diff'
import { bytes } from './format'
import { isRecord } from './record'

/** The form in which a value is best read. */
export type Shape =
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'diff'; readonly text: string }
  | { readonly kind: 'log'; readonly text: string }
  /** Plain fields, and beside them what has a form of its own. */
  | {
      readonly kind: 'fields'
      readonly facts: readonly (readonly [name: string, text: string])[]
      readonly sections: readonly (readonly [name: string, value: unknown])[]
    }
  | { readonly kind: 'tree'; readonly value: object }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' }

export type Row = Readonly<Record<string, unknown>>

const isFlat = (value: unknown): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (Array.isArray(value) && value.every((item) => typeof item !== 'object'))

/** Rows that share most of their fields and whose fields are plain. */
function asTable(value: unknown): Shape | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return null
  const rows: Row[] = value
  const columns = [...new Set(rows.slice(0, 200).flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > 20) return null
  const flat = rows.slice(0, 200).every((row) => Object.values(row).every(isFlat))
  return flat ? { kind: 'table', columns, rows } : null
}

const mostFacts = 40
const mostSections = 6
const longestFact = 200

/** Short words in a list, such as tags, are read best in one line; sentences are not. */
const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => String(item).length > 40)

/** Texts in a list are lines, such as those of a log. */
function asLines(value: unknown): Shape | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === 'string'))
    return null
  return { kind: 'log', text: value.join('\n') }
}

/** Fields that are plain are told as facts; the others each in their own form, unless one of them has none. */
function asFields(value: object): Shape | null {
  if (Array.isArray(value)) return null
  const facts: [string, string][] = []
  const sections: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    const text = isFlat(field) && !isLines(field) ? cellText(field, name) : null
    if (text !== null && text.length <= longestFact && !text.includes('\n')) facts.push([name, text])
    else sections.push([name, field])
  }
  if (facts.length > mostFacts || sections.length > mostSections) return null
  if (sections.some(([, field]) => ['tree', 'nothing'].includes(shapeOf(field).kind))) return null
  return { kind: 'fields', facts, sections }
}

/** An answer that wraps one list, such as `{ lxcs: [...] }`, is that list. */
function onlyList(value: unknown): unknown {
  if (!isRecord(value)) return value
  const lists = Object.values(value).filter((entry) => Array.isArray(entry) && entry.length > 0)
  return lists.length === 1 && Object.values(value).every((entry) => Array.isArray(entry) || isFlat(entry))
    ? lists[0]
    : value
}

export function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined || value === '') return { kind: 'nothing' }
  if (typeof value === 'string') {
    if (isDiff(value)) return { kind: 'diff', text: value }
    return value.includes('\n') ? { kind: 'log', text: value } : { kind: 'text', text: value }
  }
  if (typeof value !== 'object') return { kind: 'text', text: String(value) }
  if (Object.keys(value).length === 0) return { kind: 'nothing' }
  return (
    asTable(value) ?? asLines(value) ?? asTable(onlyList(value)) ?? asFields(value) ?? { kind: 'tree', value }
  )
}

const bytesColumn = /^(max)?_?(mem(ory)?|disk|used|total|size|avail(able)?|free)(_?bytes)?$/i
const aMebibyte = 1_048_576

/** One value in a table's cell. Large numbers of bytes are told in their unit. */
export function cellText(value: unknown, column = ''): string {
  if (typeof value === 'number' && value >= aMebibyte && bytesColumn.test(column)) return bytes(value)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

export interface Folded<T> {
  readonly head: readonly T[]
  readonly hidden: number
  readonly tail: readonly T[]
}

/** Head and tail of a long list of lines; what fits is not folded. */
export function fold<T>(lines: readonly T[], head = 12, tail = 8): Folded<T> {
  const hidden = lines.length - head - tail
  if (hidden <= 2) return { head: lines, hidden: 0, tail: [] }
  return { head: lines.slice(0, head), hidden, tail: lines.slice(-tail) }
}

/** Lines in pieces that can be laid out one by one. */
export function chunksOf<T>(lines: readonly T[], size = 200): (readonly T[])[] {
  const chunks: (readonly T[])[] = []
  for (let at = 0; at < lines.length; at += size) chunks.push(lines.slice(at, at + size))
  return chunks
}
