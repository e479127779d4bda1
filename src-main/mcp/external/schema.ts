import { plainData, plainText } from '../../tools/text'

type Json = Readonly<Record<string, unknown>>
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

/** A schema is cut off beyond these; 16 KiB is about what all tools of Nomos' own take together. */
const deepest = 10
const mostNodes = 400
const mostCharacters = 16 * 1024
const longestText = 500

/**
 * What is kept of a server's schema. Patterns are not: nobody here needs to run a regular expression of a stranger.
 * References are: followed within the schema itself, never elsewhere, and not in circles.
 */
const texts = ['description', 'title', 'format']
const values = ['enum', 'const', 'default']
const plain = [
  'type',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems'
]
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const single = ['items', 'additionalProperties', 'not']

/** The input schema of an external tool as a model is given it: of bounded size, without references and patterns. */
export function boundedSchema(raw: Json): ObjectSchema {
  let nodes = 0

  const walk = (schema: unknown, depth: number, following: readonly string[]): unknown => {
    if (typeof schema === 'boolean') return schema
    if (!isRecord(schema) || depth > deepest || ++nodes > mostNodes) return {}
    const ref = schema['$ref']
    if (typeof ref === 'string') {
      const target = following.includes(ref) ? undefined : within(raw, ref)
      return target === undefined ? {} : walk(target, depth + 1, [...following, ref])
    }
    const inner = (value: unknown) => walk(value, depth + 1, following)
    const kept: [string, unknown][] = []
    for (const [key, value] of Object.entries(schema)) {
      if (texts.includes(key) && typeof value === 'string')
        kept.push([key, plainText(value).slice(0, longestText)])
      else if (values.includes(key)) kept.push([key, plainData(value)])
      else if (plain.includes(key) && isPlain(value)) kept.push([key, value])
      else if (lists.includes(key) && Array.isArray(value)) kept.push([key, value.map(inner)])
      else if (single.includes(key)) kept.push([key, inner(value)])
      else if (key === 'properties' && isRecord(value))
        kept.push([
          key,
          Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => usableName(name))
              .map(([name, field]) => [name, inner(field)])
          )
        ])
    }
    return Object.fromEntries(kept)
  }

  const walked = walk(raw, 0, [])
  const schema: ObjectSchema = { properties: {}, ...(isRecord(walked) ? walked : {}), type: 'object' }
  return JSON.stringify(schema).length <= mostCharacters ? schema : { type: 'object', properties: {} }
}

/** A number, a yes or no, a word, or words. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((word) => typeof word === 'string' && usableName(word))
  return typeof value === 'string' ? usableName(value) : ['number', 'boolean'].includes(typeof value)
}

/** A field whose name a person can read, and which is no trap for programs that copy objects. */
const usableName = (name: string) => name.length <= 128 && plainText(name) === name && name !== '__proto__'

/** The part of a schema that a reference within it names, such as `#/$defs/point` (JSON Pointer, RFC 6901). */
function within(root: Json, ref: string): unknown {
  if (!ref.startsWith('#/')) return ref === '#' ? root : undefined
  let found: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~')
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
