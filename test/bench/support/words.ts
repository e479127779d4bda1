/** Numbers from 0 to 1 that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const syllables = 'ba co di fu ge ha jo ki lu me no pa qui ro su te va we xi zo an er ol um'.split(' ')

/** Words that differ from each other, the first the most common. */
export function vocabulary(size: number): string[] {
  const random = seeded(7)
  const words = new Set<string>()
  while (words.size < size) {
    const length = 2 + Math.floor(random() * 3)
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)] ?? '').join(''))
  }
  return [...words]
}

/** Picks words as language does: the second word half as often as the first, the third a third as often. */
export function zipf(words: readonly string[], random: () => number): () => string {
  const sums: number[] = []
  let sum = 0
  for (let rank = 1; rank <= words.length; rank++) sums.push((sum += 1 / rank))
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return words[low] ?? ''
  }
}
