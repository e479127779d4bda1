/**
 * An FTS5 query for what a person typed: every word must occur, the last one may be unfinished.
 * Each word is quoted, so nothing of the query language can be typed by accident. Null without a word.
 */
export function toMatch(typed: string): string | null {
  const words =
    typed
      .normalize('NFC')
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, 16) ?? []
  if (words.length === 0) return null
  return words.map((word, i) => `"${word}"${i === words.length - 1 && word.length > 1 ? '*' : ''}`).join(' ')
}
