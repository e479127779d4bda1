import type { PlannedCall } from './talk'

/** Other names for the same argument, for tools that call it differently than the scripts do. */
const synonyms: readonly (readonly string[])[] = [
  ['target', 'name', 'guest'],
  ['service', 'unit'],
  ['from', 'host'],
  ['execution_id', 'id'],
  ['lines', 'limit']
]

function propertiesOf(schema: unknown): readonly string[] | null {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return null
  const { properties } = schema
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : null
}

/** The call with its arguments named as the tool's schema names them; arguments it does not know are left out. */
export function fitted(call: PlannedCall, tools: ReadonlyMap<string, unknown>): PlannedCall {
  const known = propertiesOf(tools.get(call.name))
  if (!known || known.length === 0) return call
  const entries = Object.entries(call.args).flatMap(([name, value]): [string, unknown][] => {
    if (known.includes(name)) return [[name, value]]
    const other = synonyms
      .find((names) => names.includes(name))
      ?.find((candidate) => known.includes(candidate))
    return other === undefined ? [] : [[other, value]]
  })
  return { ...call, args: Object.fromEntries(entries) }
}
