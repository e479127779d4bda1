import type { Config } from '@contract'
import { de } from './de/index'
import { en } from './en/index'

/** What every translation has: a text for each place. */
export type Catalogue = typeof en

const catalogues = { en, de }
type Language = keyof typeof catalogues

/** The main process serves the page in the language that the operator wants. */
const served = typeof document === 'undefined' ? 'en' : document.documentElement.lang
export const language: Language = served === 'de' ? 'de' : 'en'

/** The catalogue in use. It is chosen once, when the page begins. */
export const t: Catalogue = catalogues[language]

let begunWith: Config['appearance']['language'] | null = null

/** Texts do not change under the operator's eyes: another language begins the page anew. */
export function followLanguage(wish: Config['appearance']['language']): void {
  if (begunWith !== null && wish !== begunWith) location.reload()
  begunWith = wish
}
