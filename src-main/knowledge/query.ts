/** What a person typed: words that must all occur, of which the last may be unfinished. */
export interface Query {
  readonly words: readonly string[]
  /** As an FTS5 query, all words as they stand. */
  readonly whole: string
  /** As an FTS5 query, the last word as a beginning. */
  readonly begun: string
}

/** Each word is quoted, so nothing of the query language can be typed by accident. Null without a word. */
export function toQuery(typed: string): Query | null {
  const words =
    typed
      .normalize('NFC')
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, 16) ?? []
  const last = words.at(-1)
  if (last === undefined) return null
  const whole = allOf(words.map(quoted))
  return { words, whole, begun: mayGoOn(last) ? `${whole}*` : whole }
}

/** The same query with the words that begin like its last one in the place of that. */
export const withLast = ({ words }: Query, last: readonly string[]): string =>
  allOf([...words.slice(0, -1).map(quoted), `(${last.map(quoted).join(' OR ')})`])

/** A single letter is looked for as it stands. */
export const mayGoOn = (word: string): boolean => word.length > 1

const quoted = (word: string): string => `"${word}"`
const allOf = (terms: readonly string[]): string => terms.join(' AND ')
