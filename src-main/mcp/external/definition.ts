import { messageOf } from '../../base/result'
import { canonicalJson, sha256 } from '../../base/canonical'
import { plainText } from '../../tools/text'
import { boundedSchema, isRecord, type ObjectSchema } from './schema'

/** A tool as its server lists it, reduced to what may be shown and served. */
export interface Definition {
  readonly name: string
  /** As the agent calls it. */
  readonly calledAs: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  /** SHA-256 over name, description, schemas and annotations, as the server gave them. */
  readonly hash: string
  /** Why it cannot be served. */
  readonly problem: string | null
}

/** Names as the specification has them (2025-11-25, server/tools, "Tool Names"). */
const validName = /^[A-Za-z0-9_.-]{1,128}$/
/** Models of some providers take no names that are longer, or that have a dot (OpenAI, function calling). */
const longestCalled = 64
const longestDescription = 2000
const mostCharacters = 64 * 1024

/** Reads what a server lists. What cannot be served stays in the list and says why. */
export function readDefinitions(server: string, listed: readonly unknown[]): Definition[] {
  const taken = new Set<string>()
  return listed.map((raw) => {
    const definition = readDefinition(server, raw)
    const again = taken.has(definition.calledAs)
    taken.add(definition.calledAs)
    return again && definition.problem === null
      ? { ...definition, problem: 'Another tool of this server is called the same.' }
      : definition
  })
}

function readDefinition(server: string, raw: unknown): Definition {
  const tool = isRecord(raw) ? raw : {}
  const name = typeof tool['name'] === 'string' ? tool['name'] : ''
  const description = typeof tool['description'] === 'string' ? tool['description'] : ''
  const input = tool['inputSchema']
  const shown = {
    name: plainText(name).slice(0, 128),
    calledAs: calledAs(server, name),
    description: capped(plainText(description))
  }
  const unusable = (problem: string): Definition => ({
    ...shown,
    inputSchema: { type: 'object' },
    hash: sha256(name),
    problem
  })
  if (!validName.test(name) || name === '__proto__')
    return unusable('Its name is not one that MCP allows: 1 to 128 letters, digits, "_", "-" or ".".')
  if (!isRecord(input)) return unusable('It does not say what it takes.')
  try {
    const canonical = canonicalJson({
      name,
      description: tool['description'],
      inputSchema: input,
      outputSchema: tool['outputSchema'],
      annotations: tool['annotations']
    })
    if (canonical.length > mostCharacters)
      return unusable(`Its definition has ${canonical.length} characters; ${mostCharacters} is the limit.`)
    return { ...shown, inputSchema: boundedSchema(input), hash: sha256(canonical), problem: null }
  } catch (error) {
    // Nested so deeply that it cannot even be written down.
    return unusable(`Its definition cannot be read: ${messageOf(error)}`)
  }
}

/** `server__tool`, in characters and a length that every provider of models takes. */
function calledAs(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  return name.length <= longestCalled
    ? name
    : `${name.slice(0, longestCalled - 9)}_${sha256(tool).slice(0, 8)}`
}

const capped = (text: string): string =>
  text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1)}…`
