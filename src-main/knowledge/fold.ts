/** Letters that have a base letter; a syllable of Hangul is none. */
const accented = /[À-ԯḀ-῿]/g

/**
 * A text without accents and capitals, as the index has its words, and of the same length, so that a place in the one
 * is the same place in the other. Takes the text as NFC.
 */
export const fold = (text: string): string =>
  text.replace(accented, (letter) => letter.normalize('NFD').charAt(0)).toLowerCase()
