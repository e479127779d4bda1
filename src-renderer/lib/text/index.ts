import type { Config } from '@contract'
import { recall, remember } from '../remember'
import { de } from './de/index'
import { en } from './en/index'

/** What every translation has: a text for each place. */
export type Catalogue = typeof en

type Wish = Config['appearance']['language']
const catalogues = { en, de }
type Language = keyof typeof catalogues

const key = 'language'
const isWish = (text: string | null): text is Wish =>
  text === 'system' || (text !== null && text in catalogues)
const systemLanguage = (): Language => (globalThis.navigator?.language.startsWith('de') ? 'de' : 'en')
const languageOf = (wish: Wish): Language => (wish === 'system' ? systemLanguage() : wish)

const remembered = recall(key)
export const language: Language = languageOf(isWish(remembered) ? remembered : 'system')

/** The catalogue in use. It is chosen once, when the page begins. */
export const t: Catalogue = catalogues[language]

/** Texts do not change under the operator's eyes: another language begins the page anew. */
export function followLanguage(wish: Wish): void {
  document.documentElement.lang = language
  remember(key, wish)
  if (languageOf(wish) !== language && recall(key) === wish) location.reload()
}
