import type { ActionView } from '../../../src-preload/contract'
import type { AppError } from '../../base/result'

/** The actions with their params, short enough for a tool's description. */
export const catalogue = (actions: readonly ActionView[]): string =>
  actions
    .map((action) => {
      const fields = fieldsOf(action.params).map(
        ({ name, optional, type, preset, description }) =>
          `${name}${optional ? '?' : ''}: ${type}${preset}${description && ` (${description})`}`
      )
      const params = fields.length === 0 ? '' : ` Params: ${fields.join(', ')}.`
      // The least class of a free command says nothing about the one that is given.
      const risk = action.risk === 'read_only' ? 'by what it runs' : action.risk
      return `- ${action.name} on ${action.targets.join('|')} [${risk}]: ${action.description}${params}`
    })
    .join('\n')

/** An error, with the params that its action takes where those that were given are wrong. */
export function withParams(actions: readonly ActionView[], error: AppError): AppError {
  const name = error.code === 'params_invalid' ? error.data?.['action'] : undefined
  const action = actions.find((each) => each.name === name)
  if (!action) return error
  return {
    ...error,
    hint: `${error.hint ?? ''} It takes: ${paramsText(action.params) || 'no params'}.`.trim()
  }
}

/** `hostname: string, cores?: integer` out of a JSON schema. */
export const paramsText = (schema: Readonly<Record<string, unknown>>): string =>
  fieldsOf(schema)
    .map(({ name, optional, type }) => `${name}${optional ? '?' : ''}: ${type}`)
    .join(', ')

interface Field {
  readonly name: string
  readonly optional: boolean
  readonly type: string
  /** ` = 8`, or nothing. */
  readonly preset: string
  readonly description: string
}

function fieldsOf(schema: Readonly<Record<string, unknown>>): Field[] {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : []
  return Object.entries(properties).map(([name, property]) => {
    const facts = isRecord(property) ? property : {}
    const preset = facts.default
    const told = ['string', 'number', 'boolean'].includes(typeof preset) && preset !== ''
    return {
      name,
      optional: !required.includes(name) || 'default' in facts,
      type: typeText(property),
      preset: told ? ` = ${String(preset)}` : '',
      description: typeof facts.description === 'string' ? facts.description.replace(/\.$/, '') : ''
    }
  })
}

function typeText(property: unknown): string {
  if (!isRecord(property)) return 'any'
  if (Array.isArray(property.enum)) return property.enum.map(String).join('|')
  if (property.const !== undefined) return String(property.const)
  const options = property.anyOf ?? property.oneOf
  if (Array.isArray(options)) return [...new Set(options.map(typeText))].join('|')
  if (property.type === 'array') return `${typeText(property.items)}[]`
  if (property.type === 'object' && isRecord(property.properties)) return `{${paramsText(property)}}`
  return typeof property.type === 'string' ? property.type : 'any'
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
