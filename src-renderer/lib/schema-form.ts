import { isRecord } from './shape'

/** One input of a form that is made from a JSON schema. */
export interface SchemaField {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly required: boolean
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'json'
  readonly choices: readonly string[]
  readonly initial: string
}

const typeOf = (schema: Readonly<Record<string, unknown>>): string => {
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (typeof schema['type'] === 'string') return schema['type']
  if (Array.isArray(alternatives)) {
    const first: unknown = alternatives.find((some) => isRecord(some) && some['type'] !== 'null')
    return isRecord(first) ? typeOf(first) : ''
  }
  return ''
}

const words = (name: string): string =>
  name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`)

function kindOf(schema: Readonly<Record<string, unknown>>): SchemaField['kind'] {
  if (Array.isArray(schema['enum'])) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return 'switch'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'string' || type === '' ? 'text' : 'json'
}

/** The fields of an object schema, required ones first. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): SchemaField[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties)
    .filter((entry): entry is [string, Readonly<Record<string, unknown>>] => isRecord(entry[1]))
    .map(([name, property]): SchemaField => {
      const kind = kindOf(property)
      const given = property['default']
      const hasDefault = given !== undefined
      return {
        name,
        label: typeof property['title'] === 'string' ? property['title'] : words(name),
        hint: typeof property['description'] === 'string' ? property['description'] : '',
        required: required.includes(name) && !hasDefault,
        kind,
        choices: Array.isArray(property['enum']) ? property['enum'].map(String) : [],
        initial: !hasDefault || given === null ? '' : kind === 'json' ? JSON.stringify(given) : String(given)
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}

/** The value that was written into a field; `undefined` for what was left empty. Throws on broken JSON. */
export function valueOf(field: SchemaField, written: string): unknown {
  if (field.kind === 'switch') return written === 'true'
  if (written.trim() === '') return undefined
  if (field.kind === 'number') return Number(written)
  if (field.kind === 'json') return JSON.parse(written) as unknown
  return written
}
