import { redact } from './redact'
import { removed } from './secret-fields'
import { isHarmless, namesSecret } from './secret-names'

/**
 * Removes secrets from every string inside plain data: those that look like one, those in a field whose name says so
 * (`{ "password": "…" }`, `{ "name": "DB_PASSWORD", "value": "…" }`), and those behind an option in a list of words.
 * Names of fields stay, as their names.
 */
export function redactDeep(value: unknown, text: (text: string) => string = redact): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      isOption(value[index - 1]) && typeof each === 'string' && !each.startsWith('-')
        ? withoutText(each)
        : redactDeep(each, text)
    )
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value)
  const pair = fields.some(
    ([key, inner]) =>
      /^(?:name|key|header|field|type)$/i.test(key) && typeof inner === 'string' && namesSecret(inner)
  )
  return Object.fromEntries(
    fields.map(([key, inner]) => [
      text(key),
      namesSecret(key) || (pair && /^value$/i.test(key)) ? withoutText(inner) : redactDeep(inner, text)
    ])
  )
}

const isOption = (word: unknown): boolean =>
  typeof word === 'string' && /^--?[\w-]+$/.test(word) && namesSecret(word)

/** The shape of what is secret as a whole, without what it says. */
function withoutText(value: unknown): unknown {
  if (typeof value === 'string') return isHarmless(value) ? value : removed
  if (typeof value === 'number') return removed
  if (Array.isArray(value)) return value.map(withoutText)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutText(inner)]))
}
