import { isRecord } from './record'

type Schema = Readonly<Record<string, unknown>>

/** One input of a form that is made from a JSON schema. */
export interface SchemaField {
  readonly name: string
  /** In words made from its name; the catalogue may have a better one. */
  readonly label: string
  readonly hint: string
  readonly required: boolean
  /**
   * `text` and `long` hold a string, `list` one string a line, `rows` objects with fields of their own. `maybe` is a
   * yes or no that may also be left as it is.
   */
  readonly kind: 'text' | 'long' | 'number' | 'switch' | 'maybe' | 'choice' | 'list' | 'rows'
  readonly choices: readonly string[]
  readonly least: number | null
  readonly most: number | null
  /** Fields of one row. */
  readonly fields: readonly SchemaField[]
  readonly initial: Written
}

/** What stands in a field: text, or rows of fields. */
export type Written = string | readonly WrittenRow[]
export type WrittenRow = Readonly<Record<string, string>>

/** Texts from this length on get room for several lines. */
const long = 1_000
/** Numbers from here on mean that there is no limit (zod writes the largest whole number). */
const noLimit = 1e15

function typeOf(schema: Schema): string {
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (typeof schema['type'] === 'string') return schema['type']
  if (Array.isArray(alternatives)) {
    const first: unknown = alternatives.find((some) => isRecord(some) && some['type'] !== 'null')
    return isRecord(first) ? typeOf(first) : ''
  }
  return ''
}

const words = (name: string): string =>
  name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, (_, low: string, high: string) => `${low} ${high}`)

function kindOf(schema: Schema, hasDefault: boolean): SchemaField['kind'] {
  if (Array.isArray(schema['enum'])) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return hasDefault ? 'switch' : 'maybe'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array')
    return isRecord(schema['items']) && schema['items']['type'] === 'object' ? 'rows' : 'list'
  return typeof schema['maxLength'] === 'number' && schema['maxLength'] >= long ? 'long' : 'text'
}

const limit = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) < noLimit ? value : null

function initialOf(kind: SchemaField['kind'], given: unknown): Written {
  if (kind === 'rows') return []
  if (kind === 'list') return Array.isArray(given) ? given.map(String).join('\n') : ''
  if (kind === 'switch') return String(given === true)
  return given === undefined || given === null ? '' : String(given as string | number | boolean)
}

/** The fields of an object schema, required ones first. */
export function fieldsOf(schema: Schema): SchemaField[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties)
    .filter((entry): entry is [string, Schema] => isRecord(entry[1]))
    .map(([name, property]): SchemaField => {
      const given = property['default']
      const kind = kindOf(property, given !== undefined)
      return {
        name,
        label: typeof property['title'] === 'string' ? property['title'] : words(name),
        hint: typeof property['description'] === 'string' ? property['description'] : '',
        required: required.includes(name) && given === undefined,
        kind,
        choices: Array.isArray(property['enum']) ? property['enum'].map(String) : [],
        least: limit(property['minimum']),
        most: limit(property['maximum']),
        fields: kind === 'rows' && isRecord(property['items']) ? fieldsOf(property['items']) : [],
        initial: initialOf(kind, given)
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}

/** What a new row of a field begins with. */
export const emptyRow = (field: SchemaField): WrittenRow =>
  Object.fromEntries(field.fields.map((each) => [each.name, String(each.initial)]))

/** The value that was written into a field; `undefined` for what was left empty. */
export function valueOf(field: SchemaField, written: Written): unknown {
  if (typeof written !== 'string')
    return written.length === 0 ? undefined : written.map((row) => rowOf(field, row))
  if (field.kind === 'switch') return written === 'true'
  if (written.trim() === '') return undefined
  switch (field.kind) {
    case 'maybe':
      return written === 'true'
    case 'number':
      return Number(written)
    case 'list':
      return written
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    case 'long':
      return written
    default:
      return written.trim()
  }
}

const rowOf = (field: SchemaField, row: WrittenRow): Record<string, unknown> => valuesOf(field.fields, row)

/** The values of all fields, without what was left empty. */
export const valuesOf = (
  fields: readonly SchemaField[],
  written: Readonly<Record<string, Written>>
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, valueOf(field, written[field.name] ?? '')] as const)
      .filter(([, value]) => value !== undefined)
  )

/** Whether every field that is required has something in it. */
export const isComplete = (
  fields: readonly SchemaField[],
  written: Readonly<Record<string, Written>>
): boolean =>
  fields.every((field) => {
    const value = written[field.name] ?? ''
    if (typeof value !== 'string') return value.every((row) => isComplete(field.fields, row))
    return !field.required || value.trim() !== ''
  })
