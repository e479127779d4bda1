/**
 * How well a text fits what was typed: 0 when it does not, more for the beginning of a word than for its middle, least
 * for letters that only follow each other (`cdy` for caddy). Each typed word has to fit.
 */
export function fit(words: readonly string[], text: string): number {
  const hay = text.toLowerCase()
  let total = 0
  for (const word of words) {
    const score = fitWord(word, hay)
    if (score === 0) return 0
    total += score
  }
  return words.length === 0 ? 1 : total / words.length
}

const startsWord = (hay: string, at: number): boolean => at === 0 || /[^a-z0-9äöüß]/.test(hay[at - 1] ?? '')

function fitWord(word: string, hay: string): number {
  let best = 0
  for (let at = hay.indexOf(word); at !== -1; at = hay.indexOf(word, at + 1)) {
    const isWhole = startsWord(hay, at) && isEnd(hay, at + word.length)
    best = Math.max(best, isWhole ? 100 : startsWord(hay, at) ? 80 : 50)
    if (best === 100) return best
  }
  return best > 0 ? best : word.length >= 3 ? subsequence(word, hay) : 0
}

const isEnd = (hay: string, at: number): boolean => at >= hay.length || /[^a-z0-9äöüß]/.test(hay[at] ?? '')

/** Letters in their order within one word of the text; the fewer gaps the better, at most 30. */
function subsequence(word: string, hay: string): number {
  let best = 0
  for (const part of hay.split(/[^a-z0-9äöüß]+/)) {
    if (part[0] !== word[0] || part.length < word.length) continue
    let at = 0
    for (const letter of part) if (letter === word[at]) at++
    if (at === word.length) best = Math.max(best, 30 - Math.min(20, part.length - word.length))
  }
  return best
}

/** What was typed, as words to fit. */
export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)
