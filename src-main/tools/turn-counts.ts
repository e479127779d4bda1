import type { Clock } from '../base/clock'
import { bulkCalls } from './bulk'
import type { ToolContext } from './tool'

/** How long (ms) the calls of a client without turns count together. */
const clientSpan = 10 * 60_000
const keptTurns = 200

/** Counts calls within a turn; for clients that have no turns, within ten minutes. */
export class TurnCounts {
  private readonly turns = new Map<string, { since: number; counts: Map<string, number> }>()

  constructor(private readonly clock: Clock) {}

  /** Counts one more call of this kind and says how many there are now. */
  count(context: ToolContext, kind: string): number {
    const now = this.clock.now()
    const key = context.messageId ?? `client ${context.client}`
    let turn = this.turns.get(key)
    if (!turn || (context.messageId === null && now - turn.since > clientSpan)) {
      turn = { since: now, counts: new Map() }
      this.turns.delete(key)
      this.turns.set(key, turn)
      const [oldest] = this.turns.keys()
      if (this.turns.size > keptTurns && oldest !== undefined) this.turns.delete(oldest)
    }
    const count = (turn.counts.get(kind) ?? 0) + 1
    turn.counts.set(kind, count)
    return count
  }
}

/** From this call on, asking entity by entity is answered with the name of the call for all of them. */
const oneByOne = 3

/** Line for the result of the third and further calls of one turn that ask for one thing at a time; else nothing. */
export function bulkHint(counts: TurnCounts, context: ToolContext, tool: string): string {
  const calls = counts.count(context, tool)
  const bulk = bulkCalls[tool]
  return calls < oneByOne || bulk === undefined
    ? ''
    : `\nThis is call ${calls} of its kind in this turn. ${bulk} returns all of them in one call: use it instead of asking one by one.`
}
