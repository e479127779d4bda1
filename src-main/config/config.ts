import { isDeepStrictEqual } from 'node:util'
import { configFields, type Config } from '../../src-preload/contract'
import { fail, messageOf, ok, type Result } from '../base/result'
import { keepBrokenCopy, readConfigFile, writeConfigFile, type FileReading } from './file'
import { isObject, type Json } from './json'
import { parseConfig, type ParsedConfig } from './parse'
import type { ConfigService } from './port'

/** The configuration of a file that may be edited while the app runs. */
export interface FileConfig extends ConfigService {
  /** Reads the file anew, and tells the listeners if that changes what is in force or what is wrong. */
  reload(): void
}

/** The configuration of the file at `path`. A file that cannot be read leaves the defaults in force. */
export function openConfig(path: string): FileConfig {
  const listeners = new Set<(config: Config) => void>()
  let current = load(path, null)
  const tell = () => {
    for (const listener of [...listeners]) listener(current.config)
  }

  return {
    path,
    get: () => current.config,
    problems: () => current.problems,
    update(patch) {
      const invalid = firstInvalid(patch)
      if (invalid) return invalid
      try {
        // The operator may have edited the file since it was read.
        const file = readConfigFile(path)
        if (file.state === 'broken') keepBrokenCopy(path)
        writeConfigFile(path, merge(file.state === 'broken' ? current.raw : rawOf(file), patch))
      } catch (error) {
        return fail(
          'config_unwritable',
          `The configuration could not be written to ${path}: ${messageOf(error)}. Nothing was changed.`,
          'Check that the file and its folder can be written.',
          { why: messageOf(error) }
        )
      }
      current = load(path, current)
      tell()
      return ok(current.config)
    },
    reload() {
      const before = current
      current = load(path, current)
      if (!isDeepStrictEqual(before, current)) tell()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

interface Loaded extends Pick<ParsedConfig, 'config' | 'problems'> {
  /** What the file said when it could last be read. */
  readonly raw: Json
}

/** While the file cannot be read, such as in the middle of an edit, what was in force before stays so. */
function load(path: string, before: Loaded | null): Loaded {
  const file = readConfigFile(path)
  if (file.state !== 'broken') {
    const raw = rawOf(file)
    const { config, problems } = parseConfig(raw)
    return { config, problems, raw }
  }
  const stays = before === null ? 'the defaults are in force' : 'what was in force before stays so'
  return {
    config: before?.config ?? parseConfig({}).config,
    problems: [{ path: '', message: `The file cannot be read (${file.why}); ${stays}.` }],
    raw: before?.raw ?? {}
  }
}

const rawOf = (file: FileReading): Json => (file.state === 'read' ? file.raw : {})

/** What is wrong with a patch before anything is written. */
function firstInvalid(patch: Partial<Config>): Result<never> | null {
  for (const name of Object.keys(patch))
    if (!(name in configFields))
      return fail('config_invalid', `There is no setting "${name}".`, undefined, { path: name })
  const [problem] = parseConfig(definedOf(patch)).problems
  return problem
    ? fail('config_invalid', `${problem.path}: ${problem.message}. Nothing was changed.`, undefined, {
        path: problem.path
      })
    : null
}

const definedOf = (patch: Partial<Config>): Json =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

/**
 * Lays the patch over what the operator wrote. Unknown fields stay; an unchanged element stays as it was
 * written; one that was left out because it is wrong stays, so that it can still be corrected.
 */
function merge(raw: Json, patch: Partial<Config>): Json {
  const { leftOut } = parseConfig(raw)
  const merged: Json = { ...raw }
  for (const [name, value] of Object.entries(patch)) {
    const written = raw[name]
    const wrong = leftOut[name]
    if (value === undefined) delete merged[name]
    else if (Array.isArray(value)) {
      const originals = Array.isArray(written) ? written : []
      merged[name] = [
        ...value.map(
          (element: unknown) => originals.find((original) => means(name, original, element)) ?? element
        ),
        ...(Array.isArray(wrong) ? wrong : [])
      ]
    } else if (name === 'mcpServers' && isObject(value))
      merged[name] = { ...(isObject(wrong) ? wrong : {}), ...value }
    else if (name !== 'model' && isObject(value) && isObject(written)) merged[name] = { ...written, ...value }
    else merged[name] = value
  }
  return merged
}

/** True when `written`, with its defaults filled in, is this element. */
function means(field: string, written: unknown, element: unknown): boolean {
  const parsed: unknown = parseConfig({ [field]: [written] }).config[field as keyof Config]
  return Array.isArray(parsed) && parsed.length === 1 && isDeepStrictEqual(parsed[0], element)
}
