import type BetterSqlite3 from 'better-sqlite3'
import { fold } from './fold'

/** Asking for more words one by one takes longer than merging their lists. */
const most = 8

/** The words of all documents that begin so; null when there are many, or when the index may spell the beginning otherwise. */
export type Beginnings = (typed: string) => readonly string[] | null

/**
 * FTS5 answers a beginning by merging the lists of all words that begin so before it gives the first hit, which for
 * one common word is the whole of its list. The list of a word that is named is read only as far as it is needed.
 */
export function createBeginnings(db: BetterSqlite3.Database): Beginnings {
  const next = db
    .prepare<[string, string], string>(
      'SELECT term FROM documents_words WHERE term >= ? AND term < ? LIMIT 1'
    )
    .pluck()

  return (typed) => {
    const begun = fold(typed)
    if (!/^[a-z0-9]+$/.test(begun)) return null
    const words: string[] = []
    // Every letter sorts after a space and before the last code point.
    for (let from = begun; words.length <= most;) {
      const word = next.get(from, `${begun}\u{10ffff}`)
      if (word === undefined) return words
      words.push(word)
      from = `${word} `
    }
    return null
  }
}
