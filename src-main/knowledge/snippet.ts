import { fold } from './fold'
import { mayGoOn } from './query'

/** A snippet has so many words, and so many of them before the first that was found if it begins amid the text. */
const wordsShown = 24
const wordsBefore = 4
/** What stands closer together than this fits in one snippet. */
const near = 140
/** The first so many places where a word occurs are looked at. */
const placesSeen = 64
/** A text without spaces is cut. */
const longest = 400

interface Place {
  readonly from: number
  readonly to: number
  readonly word: string
}

/**
 * Makes the snippets of the documents that were found: the piece of a text where most of the words are, each of them
 * between \u0002 and \u0003. FTS5 would make them too, but only while it walks the lists of the words once more.
 * @param words as they were typed; the last may be unfinished
 */
export function createSnippets(words: readonly string[]): (text: string) => string {
  const pattern = patternOf(words)
  return (text) => {
    const composed = text.normalize('NFC')
    const places = placesOf(pattern, fold(composed))
    const from = beginOf(composed, densest(places))
    const to = from + lengthOf(composed.slice(from, from + longest))
    const shown = marked(composed, from, to, places)
    return `${from > 0 ? '…' : ''}${shown}${to < composed.length ? '…' : ''}`
  }
}

/** The words as the index splits and folds them. */
function patternOf(typed: readonly string[]): RegExp {
  const words = typed.flatMap((word) => fold(word).split('_')).filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const alternatives = words.map((word) =>
    word === last && mayGoOn(word) ? `${word}[\\p{L}\\p{N}]*` : `${word}(?![\\p{L}\\p{N}])`
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(alternatives)].join('|')})`, 'gu')
}

function placesOf(pattern: RegExp, folded: string): Place[] {
  const places: Place[] = []
  for (const { index, 0: word } of folded.matchAll(pattern)) {
    places.push({ from: index, to: index + word.length, word })
    if (places.length === placesSeen) break
  }
  return places
}

/** The places that stand near each other and are of the most different words; the first such. */
function densest(places: readonly Place[]): readonly Place[] {
  let best: readonly Place[] = []
  let most = 0
  for (const [i, { from }] of places.entries()) {
    const group = places.slice(i).filter(({ to }) => to <= from + near)
    const different = new Set(group.map(({ word }) => word)).size
    if (different > most) [best, most] = [group, different]
  }
  return best
}

/** Where a snippet of these places begins: with the text if they are near its beginning. */
function beginOf(text: string, [first, ...others]: readonly Place[]): number {
  if (!first) return 0
  const end = others.at(-1)?.to ?? first.to
  if (end <= lengthOf(text.slice(0, longest))) return 0
  const before = Math.max(0, first.from - longest)
  const starts = [...text.slice(before, first.from).matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  return before + (starts.at(-wordsBefore) ?? first.from - before)
}

/** How far the first words of a text reach; what follows the last of all belongs to it. */
function lengthOf(text: string): number {
  const words = text.matchAll(/[\p{L}\p{N}]+/gu)
  let end = 0
  for (let count = 0; count < wordsShown; count++) {
    const { value } = words.next()
    if (!value) return text.length
    end = value.index + value[0].length
  }
  return /[\p{L}\p{N}]/u.test(text.slice(end)) ? end : text.length
}

function marked(text: string, from: number, to: number, places: readonly Place[]): string {
  let shown = ''
  let at = from
  for (const place of places.filter((each) => each.from >= from && each.to <= to)) {
    shown += `${text.slice(at, place.from)}\u0002${text.slice(place.from, place.to)}\u0003`
    at = place.to
  }
  return shown + text.slice(at, to)
}
