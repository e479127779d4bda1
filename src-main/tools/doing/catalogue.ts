import type { ActionView } from '../../../src-preload/contract'

/** The actions with their params, short enough for a tool's description. */
export const catalogue = (actions: readonly ActionView[]): string =>
  actions
    .map((action) => {
      const params = paramsText(action.params)
      return `- ${action.name} on ${action.targets.join('|')} [${action.risk}]: ${action.description}${
        params === '' ? '' : ` Params: ${params}.`
      }`
    })
    .join('\n')

/** `hostname: string, cores?: integer` out of a JSON schema. */
export function paramsText(schema: Readonly<Record<string, unknown>>): string {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : []
  return Object.entries(properties)
    .map(([name, property]) => {
      const must = required.includes(name) && !(isRecord(property) && 'default' in property)
      return `${name}${must ? '' : '?'}: ${typeText(property)}`
    })
    .join(', ')
}

function typeText(property: unknown): string {
  if (!isRecord(property)) return 'any'
  if (Array.isArray(property.enum)) return property.enum.map(String).join('|')
  if (property.const !== undefined) return String(property.const)
  const options = property.anyOf ?? property.oneOf
  if (Array.isArray(options)) return [...new Set(options.map(typeText))].join('|')
  if (property.type === 'array') return `${typeText(property.items)}[]`
  return typeof property.type === 'string' ? property.type : 'any'
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
