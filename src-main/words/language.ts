import { english } from './catalogue'
import { german } from './de'
import { Words } from './words'

const words: Readonly<Record<string, Words>> = { en: new Words(english), de: new Words(german) }

/** What the core says, in a language such as `de`; in English where nothing else is there. */
export const wordsIn = (language: string): Words => words[language] ?? new Words(english)
