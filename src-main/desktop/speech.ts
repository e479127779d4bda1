import { wordsIn } from '../words/language'
import type { Words } from '../words/words'
import type { Texts } from './text'

/** Everything that is said outside of the window: the desktop's own texts, and what the core says. */
export type Speech = Texts & { readonly words: Words }

/** Made once the core is there: before that, nothing of the core has to be said. */
export const speechOf = (texts: Texts): Speech => ({ ...texts, words: wordsIn(texts.language) })
