import type { Config } from '../../../src-preload/contract'
import { de } from './de'
import { en } from './en'

/** What every translation has. */
export type Texts = typeof en

/** The catalogue of the language that is chosen; `locale` is the system's, such as `de-AT`. */
export function textsIn(wish: Config['appearance']['language'], locale: string): Texts {
  const language = wish === 'system' ? locale : wish
  return language.startsWith('de') ? de : en
}
