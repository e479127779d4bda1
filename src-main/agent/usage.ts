import { z } from 'zod'
import type { SessionUsage } from '../../src-preload/contract'
import { readJson } from '../base/json'
import type { Store, Tx } from '../store/store'
import type { Answer } from './stream'

/** What one turn has used, as far as the model's service told; kept with its message. */
const turnUsage = z.object({
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  cachedTokens: z.number().default(0),
  /** US dollars; null where the service does not tell. */
  cost: z.number().nullable().default(null),
  /** What the newest answer has read and written. */
  contextTokens: z.number().nullable().default(null),
  estimated: z.boolean().default(false),
  /** How often the turn was resumed after a crash. */
  resumes: z.number().default(0)
})
export type TurnUsage = z.infer<typeof turnUsage>

/** A damaged record counts as nothing used. */
export const usageOf = (message: { readonly usage: string | null }): TurnUsage =>
  turnUsage.safeParse(readJson(message.usage ?? '{}')).data ?? turnUsage.parse({})

/**
 * The usage of a turn with one more answer. `promptTokens` is the reckoned length of what was sent: a service that
 * does not count leaves no other measure of the context.
 */
export function withAnswer(before: TurnUsage, answer: Answer, promptTokens: number): TurnUsage {
  const told = answer.inputTokens > 0
  return {
    ...before,
    inputTokens: before.inputTokens + answer.inputTokens,
    outputTokens: before.outputTokens + answer.outputTokens,
    cachedTokens: before.cachedTokens + answer.cachedTokens,
    cost: answer.cost === null ? before.cost : (before.cost ?? 0) + answer.cost,
    contextTokens: told ? answer.inputTokens + answer.outputTokens : promptTokens,
    estimated: !told
  }
}

export interface Usages {
  ofSession(sessionId: string): SessionUsage
  announce(tx: Tx, sessionId: string): void
}

/** What each session has used, summed up from its messages. */
export function createUsages(store: Store): Usages {
  const rows = store.db.prepare<[string], { usage: string }>(
    'SELECT usage FROM messages WHERE session_id = ? AND usage IS NOT NULL ORDER BY seq'
  )
  const ofSession = (sessionId: string): SessionUsage => sumOf(rows.all(sessionId).map(usageOf))
  return {
    ofSession,
    announce: (tx, sessionId) => tx.emit({ type: 'usage.changed', sessionId, usage: ofSession(sessionId) })
  }
}

function sumOf(turns: readonly TurnUsage[]): SessionUsage {
  const sum = (value: (turn: TurnUsage) => number) => turns.reduce((total, turn) => total + value(turn), 0)
  const newest = turns.findLast((turn) => turn.contextTokens !== null)
  return {
    inputTokens: sum((turn) => turn.inputTokens),
    outputTokens: sum((turn) => turn.outputTokens),
    cachedTokens: sum((turn) => turn.cachedTokens),
    cost: turns.some((turn) => turn.cost !== null) ? sum((turn) => turn.cost ?? 0) : null,
    contextTokens: newest?.contextTokens ?? null,
    estimated: newest?.estimated ?? false
  }
}
