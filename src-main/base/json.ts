/**
 * Reads a column of JSON. Undefined when it is damaged, as a failing disk leaves it: one broken row must never keep
 * the others from being read.
 */
export function readJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
