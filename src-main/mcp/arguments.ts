import type { z } from 'zod'
import { fail, ok, type Result } from '../base/result'
import { nearNames } from '../fleet/near'
import { paramsText } from '../tools/doing/catalogue'
import type { Tool } from '../tools/tool'
import { jsonSchema } from './schema'

/** JSON of the arguments may have this many characters. */
const maxArguments = 512 * 1024

type Arguments = Readonly<Record<string, unknown>>

/** Arguments as the tool takes them. Errors: `invalid_arguments` naming each field, `arguments_too_large`. */
export function checkArguments(tool: Tool, args: Arguments): Result<Record<string, unknown>> {
  const size = JSON.stringify(args).length
  if (size > maxArguments)
    return fail(
      'arguments_too_large',
      `The arguments of ${tool.name} have ${size} characters; ${maxArguments} is the limit.`,
      'Give less at once.'
    )
  const first = tool.input.safeParse(args)
  if (first.success) return ok(first.data)
  const second = tool.input.safeParse(mended(args, first.error))
  if (second.success) return ok(second.data)
  const fields = paramsText(tool.inputSchema ?? jsonSchema(tool.input, 'input'))
  return fail(
    'invalid_arguments',
    `${tool.name} cannot take these arguments:\n${first.error.issues.flatMap((issue) => inWords(tool, issue)).join('\n')}`,
    fields === '' ? `${tool.name} takes no arguments.` : `It takes: ${fields}.`
  )
}

/** What some models write and mean all the same: `null` for a field left out, JSON in a string. */
function mended(args: Arguments, error: z.ZodError): Arguments {
  const mended: Record<string, unknown> = { ...args }
  for (const { path } of error.issues) {
    const [field] = path
    if (typeof field !== 'string' || !Object.hasOwn(args, field)) continue
    const value = args[field]
    if (value === null) delete mended[field]
    else if (typeof value === 'string' && /^\s*[[{]/.test(value))
      try {
        mended[field] = JSON.parse(value)
      } catch {
        // It stays as it is and is told as wrong.
      }
  }
  return mended
}

function inWords(tool: Tool, issue: z.core.$ZodIssue): string[] {
  const at = path(issue.path)
  if (issue.code !== 'unrecognized_keys') return [`- ${at || 'arguments'}: ${issue.message}`]
  const known = issue.path.length === 0 ? Object.keys(tool.input.shape) : []
  return issue.keys.slice(0, 10).map((key) => {
    const [near] = nearNames(key, known, 1)
    const name = key.slice(0, 60)
    return `- ${at ? `${at}.${name}` : name}: there is no such field${near ? `; did you mean ${near}?` : ''}`
  })
}

/** `['steps', 0, 'action']` → `steps[0].action`. */
const path = (parts: readonly PropertyKey[]): string =>
  parts.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    ''
  )
