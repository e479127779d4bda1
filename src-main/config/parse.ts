import { z } from 'zod'
import { configFields, type Config, type ConfigProblem } from '../../src-preload/contract'
import { isObject, type Json } from './json'

export interface ParsedConfig {
  readonly config: Config
  readonly problems: readonly ConfigProblem[]
  /** Elements of lists and of records that were left out, as the operator wrote them. */
  readonly leftOut: Readonly<Record<string, unknown>>
}

type FieldName = keyof typeof configFields
const fieldNames = Object.keys(configFields) as FieldName[]
const isField = (name: string): name is FieldName => Object.hasOwn(configFields, name)

/** Every field of the configuration with its default. */
export const defaultConfig = (): Config => z.object(configFields).parse({})

/**
 * Reads each field by itself. What is wrong or unknown is named with its path and left out:
 * a list loses the element, a group of settings loses the setting, `model` is taken whole or not at all.
 */
export function parseConfig(raw: Json): ParsedConfig {
  const problems: ConfigProblem[] = []
  const leftOut: Json = {}
  const config: Json = { ...defaultConfig() }
  for (const name of Object.keys(raw))
    if (!isField(name) && name !== '$schema') problems.push({ path: name, message: 'unknown field' })
  for (const name of fieldNames) {
    const value = raw[name]
    if (value === undefined) continue
    const read = readField(name, value)
    problems.push(...read.problems)
    if (read.value !== undefined) config[name] = read.value
    if (read.leftOut !== undefined) leftOut[name] = read.leftOut
  }
  return { config: config as Config, problems, leftOut }
}

interface FieldReading {
  readonly value?: unknown
  readonly problems: readonly ConfigProblem[]
  readonly leftOut?: unknown
}

function readField(name: FieldName, value: unknown): FieldReading {
  const schema: z.ZodType = configFields[name]
  const whole = schema.safeParse(value)
  const twice = isNamedList(name) && Array.isArray(value) ? repeatedNames(value) : []
  if (whole.success && twice.length === 0) return { value: whole.data, problems: [] }
  if ((isNamedList(name) || name === 'policies') && Array.isArray(value))
    return readList(name, value, new Set(twice))
  if (name === 'mcpServers' && isObject(value)) return readRecord(name, value)
  if (!whole.success && isObject(value) && name !== 'model' && name !== 'mcpServers')
    return readGroup(name, schema, value, whole.error)
  return { problems: whole.success ? [] : problemsOf(name, whole.error) }
}

/** Lists whose elements are told apart by their names. */
const isNamedList = (name: FieldName): name is 'hosts' | 'models' => name === 'hosts' || name === 'models'

function readList(name: FieldName, value: readonly unknown[], twice: ReadonlySet<number>): FieldReading {
  const schema: z.ZodType = configFields[name]
  const problems: ConfigProblem[] = []
  const kept: unknown[] = []
  const leftOut: unknown[] = []
  value.forEach((element, index) => {
    const read = schema.safeParse([element])
    if (read.success && !twice.has(index)) return kept.push(...(read.data as unknown[]))
    leftOut.push(element)
    return problems.push(
      ...(read.success
        ? [
            {
              path: `${name}[${index}].name`,
              message: `another ${name === 'models' ? 'model' : 'host'} has this name`
            }
          ]
        : problemsOf(name, read.error, (path) => [index, ...path.slice(1)]))
    )
  })
  return { value: kept, problems, leftOut }
}

function readRecord(name: FieldName, value: Json): FieldReading {
  const schema: z.ZodType = configFields[name]
  const problems: ConfigProblem[] = []
  const kept: Json = {}
  const leftOut: Json = {}
  for (const [key, element] of Object.entries(value)) {
    const read = schema.safeParse({ [key]: element })
    if (read.success) Object.assign(kept, read.data)
    else {
      leftOut[key] = element
      problems.push(...problemsOf(name, read.error))
    }
  }
  return { value: kept, problems, leftOut }
}

/** A group of settings, such as `signals`: each wrong one falls back to its default. */
function readGroup(name: FieldName, schema: z.ZodType, value: Json, error: z.ZodError): FieldReading {
  const problems = problemsOf(name, error)
  const repaired = structuredClone(value)
  const defaults = schema.parse(undefined)
  for (const issue of error.issues)
    for (const path of issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path])
      restore(repaired, defaults, path)
  for (const list of listsIn(repaired))
    list.splice(0, list.length, ...list.filter((element) => element !== removed))
  const read = schema.safeParse(repaired)
  return { value: read.success ? read.data : defaults, problems }
}

const removed = Symbol('removed')

/** Puts the default in place of the value at `path`, or takes it away where there is no default. */
function restore(target: unknown, defaults: unknown, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path
  if (key === undefined) return
  if (Array.isArray(target)) target[Number(key)] = removed
  else if (isObject(target)) {
    const name = String(key)
    const fallback = isObject(defaults) && Object.hasOwn(defaults, name) ? defaults[name] : undefined
    const child = target[name]
    if (rest.length > 0 && typeof child === 'object' && child !== null) restore(child, fallback, rest)
    else if (fallback === undefined) delete target[name]
    else target[name] = structuredClone(fallback)
  }
}

const listsIn = (value: unknown): unknown[][] =>
  Array.isArray(value) ? [value] : isObject(value) ? Object.values(value).flatMap(listsIn) : []

/** Positions of elements whose name an earlier one has already. */
function repeatedNames(elements: readonly unknown[]): number[] {
  const seen = new Set<unknown>()
  return elements.flatMap((element, index) => {
    const name = isObject(element) ? element.name : undefined
    if (name === undefined || !seen.has(name)) return (seen.add(name), [])
    return [index]
  })
}

function problemsOf(
  field: string,
  error: z.ZodError,
  place: (path: readonly PropertyKey[]) => readonly PropertyKey[] = (path) => path
): ConfigProblem[] {
  return error.issues.flatMap((issue) =>
    explain(issue).map(({ path, message }) => ({ path: field + pathText(place(path)), message }))
  )
}

interface Explained {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What an issue says; of alternatives, the one that fits best is explained. */
function explain(issue: z.core.$ZodIssue): Explained[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'unknown field' }))
  if (issue.code === 'invalid_union') {
    const alternatives = issue.errors.filter((issues) => issues.length > 0)
    const best = alternatives.sort((a, b) => misfit(a) - misfit(b))[0]
    if (best)
      return best.flatMap(explain).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  return [{ path: issue.path, message: issue.message }]
}

/** Unknown and missing keys tell that another alternative was meant. */
const misfit = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 10 * issue.keys.length : 1), 0)

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
