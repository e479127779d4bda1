/** What a person typed, as FTS5 queries in which every word must occur. */
export interface Query {
  /** The last word may be unfinished. */
  readonly begun: string
  /** All words as they stand. */
  readonly whole: string
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
  const whole = words.map((word) => `"${word}"`).join(' ')
  return { begun: last.length > 1 ? `${whole}*` : whole, whole }
}
