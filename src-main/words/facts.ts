import type { AppError, Saying } from '../../src-preload/contract'

/** How what is nested in facts is said: other sentences, other errors. */
interface Sayer {
  say(saying: Saying): string | null
  error(error: AppError): AppError
}

const silent: Sayer = { say: () => null, error: (error) => error }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * What a sentence speaks of. Facts come from rows that an earlier version may have written without them, so each is
 * read with what is said in its place.
 */
export class Facts {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly sayer: Sayer = silent
  ) {}

  has(key: string): boolean {
    const value = this.values[key]
    return value !== undefined && value !== null && value !== ''
  }

  is(key: string, value: unknown = true): boolean {
    return this.values[key] === value
  }

  text(key: string, otherwise = ''): string {
    const value = this.values[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
  }

  number(key: string, otherwise = 0): number {
    const value = this.values[key]
    return typeof value === 'number' ? value : otherwise
  }

  list(key: string): readonly string[] {
    const value = this.values[key]
    return Array.isArray(value) ? value.map(String) : []
  }

  /** The fields of an object. */
  fields(key: string): Readonly<Record<string, unknown>> {
    const value = this.values[key]
    return isObject(value) ? value : {}
  }

  /** The facts of each object in a list. */
  each(key: string): readonly Facts[] {
    const value = this.values[key]
    return Array.isArray(value) ? value.filter(isObject).map((item) => new Facts(item, this.sayer)) : []
  }

  keys(): readonly string[] {
    return Object.keys(this.values)
  }

  /** A sentence that is a fact of another one; empty when there is none. */
  said(key: string): string {
    const value = this.values[key]
    return isObject(value) && typeof value['id'] === 'string'
      ? (this.sayer.say(value as unknown as Saying) ?? '')
      : ''
  }

  /** The message of an error that is the cause of another one; empty when there is none. */
  cause(key: string): string {
    const value = this.values[key]
    if (!isObject(value) || typeof value['code'] !== 'string') return ''
    return this.sayer.error(value as unknown as AppError).message
  }
}
