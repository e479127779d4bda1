import { en } from './en'

/** The catalogue in use. A translation is another object of the same type. */
export type Catalogue = typeof en
export const t: Catalogue = en
