import { between } from '../base/clock'
import type { Store, Tx } from '../store/store'
import type { Condition, Look } from './port'
import { covering } from './names'
import { keyOf, signalView, type SignalRow, type SignalTable } from './table'

/** What comes back within this time after it went is the same trouble, and is not told again. Milliseconds. */
const cooldown = 30 * 60_000

/** Signals that are over and are still kept: a guest that fails ever anew does not fill the database. */
const mostResolved = 1000

/** Characters of what a signal says: part of it comes from inside of guests. */
const longest = { title: 300, detail: 300 } as const

/**
 * Writes what a look found: opens what is new, reopens what came back, resolves what it covered and did not find.
 * Returns the signals that are new and worth telling; what is quiet is listed only.
 */
export function note(
  store: Store,
  table: SignalTable,
  look: Look,
  isQuiet: (condition: Condition) => boolean
): readonly SignalRow[] {
  return store.transact((tx) => {
    const conditions = look.conditions.map(inFewWords)
    const found = new Set(conditions.map(keyOf))
    const opened = conditions.flatMap(
      (condition) => open(store, table, tx, condition, isQuiet(condition)) ?? []
    )
    for (const row of table.unresolved())
      if (look.covers.has(covering(row.kind, row.subject)) && !found.has(row.key)) {
        table.resolve(row.id, store.clock.now())
        tell(table, tx, row.id)
      }
    table.forgetOldest(mostResolved)
    return opened
  })
}

/** The row if it is new and worth telling. */
function open(
  store: Store,
  table: SignalTable,
  tx: Tx,
  condition: Condition,
  quiet: boolean
): SignalRow | null {
  const now = store.clock.now()
  const before = table.byKey(keyOf(condition))
  if (before === null) {
    const row = tell(table, tx, table.insert(condition, now, quiet))
    return quiet ? null : row
  }
  if (before.state !== 'resolved') {
    if (saysTheSame(before, condition)) return null
    table.describe(before.id, condition, now)
    tell(table, tx, before.id)
    return null
  }
  const isBack = before.resolved_at !== null && between(now, before.resolved_at) < cooldown
  table.reopen(before.id, condition, now, quiet || isBack)
  const row = tell(table, tx, before.id)
  return quiet || isBack ? null : row
}

const inFewWords = (condition: Condition): Condition => ({
  ...condition,
  title: cut(condition.title, longest.title),
  detail: cut(condition.detail, longest.detail)
})

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`

const saysTheSame = (row: SignalRow, { level, target, title, detail, facts, action }: Condition): boolean =>
  row.level === level &&
  row.target === target &&
  row.title === title &&
  row.detail === detail &&
  JSON.stringify(row.facts) === JSON.stringify(facts) &&
  JSON.stringify(row.action) === JSON.stringify(action)

/** Announces the row as it is now. */
export function tell(table: SignalTable, tx: Tx, id: string): SignalRow | null {
  const row = table.get(id)
  if (row) tx.emit({ type: 'signal.changed', signal: signalView(row) })
  return row
}
