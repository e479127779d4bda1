import { fit, wordsOf } from '../lib/fuzzy'
import { recall, remember } from '../lib/remember'
import { t } from '../lib/text'
import type { PaletteItem, PaletteKind } from './palette-items'

export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteItem[]
}

const mostOfEach = 8
const mostRecent = 6
const recentKey = 'palette'
/** What was chosen lately is better than what fits a little better. */
const recentBonus = 15

const recentIds = (): string[] => (recall(recentKey) ?? '').split('\n').filter(Boolean)

/** Keeps what was chosen among the recent ones, the latest first. */
export function choose(item: PaletteItem): void {
  remember(
    recentKey,
    [item.id, ...recentIds().filter((id) => id !== item.id)].slice(0, mostRecent).join('\n')
  )
  item.run()
}

/** Everything that fits the words, the best of each kind, the best kind first; without words what was chosen lately. */
export function paletteGroups(kinds: readonly PaletteKind[], query: string): PaletteGroup[] {
  const words = wordsOf(query)
  const recent = recentIds()
  if (words.length === 0) return atRest(kinds, recent)
  return kinds
    .map(({ label, items }) => {
      const found = items
        .map((item) => ({ item, score: scoreOf(words, item, recent) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, mostOfEach)
      return { label, items: found.map(({ item }) => item), best: found[0]?.score ?? 0 }
    })
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => b.best - a.best)
}

/** The label counts for more than what else an item is found by. */
function scoreOf(words: readonly string[], item: PaletteItem, recent: readonly string[]): number {
  const byLabel = fit(words, item.label)
  const score = byLabel > 0 ? byLabel + 10 : fit(words, `${item.label} ${item.detail} ${item.words ?? ''}`)
  return score > 0 && recent.includes(item.id) ? score + recentBonus : score
}

/** Nothing is typed: what was chosen lately, then where one can go. */
function atRest(kinds: readonly PaletteKind[], recent: readonly string[]): PaletteGroup[] {
  const all = new Map(kinds.flatMap(({ items }) => items.map((item) => [item.id, item] as const)))
  const lately = recent.map((id) => all.get(id)).filter((item) => item !== undefined)
  return [
    { label: t.palette.recent, items: lately },
    ...kinds
      .filter((kind) => kind.atRest)
      .map(({ label, items }) => ({
        label,
        items: items.filter((item) => !lately.includes(item)).slice(0, mostOfEach)
      }))
  ].filter(({ items }) => items.length > 0)
}
