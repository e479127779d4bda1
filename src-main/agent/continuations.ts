import { z } from 'zod'
import type { Store, Tx } from '../store/store'
import { fence } from '../base/fence'

const row = z.object({
  id: z.string(),
  session_id: z.string(),
  cause: z.enum(['execution', 'decision']),
  subject_id: z.string(),
  note: z.string(),
  state: z.enum(['pending', 'claimed', 'delivered', 'held']),
  owner: z.string().nullable(),
  lease_until: z.number().nullable(),
  attempts: z.number(),
  message_id: z.string().nullable(),
  created_at: z.number()
})
export type Continuation = z.infer<typeof row>

const leaseMs = 90_000
/** How often a result is handed to a turn that dies before it is told to the operator instead. */
export const maxAttempts = 3

export type Continuations = ReturnType<typeof createContinuations>

/**
 * The outbox of results that the agent has to hear of. Whoever handles some claims them first, under a lease in the
 * name of this run of the program, so that a crash after the claim neither loses nor doubles them.
 */
export function createContinuations(store: Store, owner: string) {
  const { db } = store
  const rows = (sql: string, ...values: unknown[]): Continuation[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((raw) => row.parse(raw))

  return {
    /** What waits in a session, in the order in which it came. */
    waiting: (sessionId: string): Continuation[] =>
      rows(
        `SELECT * FROM continuations WHERE session_id = ? AND state IN ('pending', 'held') ORDER BY created_at, id`,
        sessionId
      ),

    /** Executions that were requested by themselves in place of these, and wait for the operator. */
    askedAnew: (results: readonly Continuation[]): string[] =>
      results.flatMap(({ subject_id: id }) =>
        z
          .array(z.string())
          .parse(
            db
              .prepare(`SELECT id FROM executions WHERE retry_of = ? AND state = 'awaiting_approval'`)
              .pluck()
              .all(id)
          )
      ),

    sessionsWaiting: (): string[] =>
      z
        .array(z.string())
        .parse(
          db
            .prepare(`SELECT DISTINCT session_id FROM continuations WHERE state IN ('pending', 'held')`)
            .pluck()
            .all()
        ),

    ofMessage: (messageId: string): Continuation[] =>
      rows(
        `SELECT * FROM continuations WHERE message_id = ? AND state = 'claimed' ORDER BY created_at, id`,
        messageId
      ),

    /** Takes what waits for a message, in the transaction that creates it. */
    claim(_tx: Tx, claimed: readonly Continuation[], messageId: string): void {
      for (const { id } of claimed)
        db.prepare(
          `UPDATE continuations SET state = 'claimed', owner = ?, lease_until = ?, attempts = attempts + 1, message_id = ?
            WHERE id = ? AND state IN ('pending', 'held')`
        ).run(owner, store.clock.now() + leaseMs, messageId, id)
    },

    /** Prolongs the leases of a message's results while its turn runs. */
    renew(messageId: string): void {
      db.prepare(
        `UPDATE continuations SET lease_until = ? WHERE message_id = ? AND state = 'claimed' AND owner = ?`
      ).run(store.clock.now() + leaseMs, messageId, owner)
    },

    /** The turn has ended and the model has heard of them. */
    deliver(_tx: Tx, messageId: string): void {
      db.prepare(
        `UPDATE continuations SET state = 'delivered', lease_until = NULL WHERE message_id = ? AND state = 'claimed'`
      ).run(messageId)
    },

    /** They wait until the operator lets the agent go on. */
    hold(_tx: Tx, held: readonly Continuation[], messageId: string): void {
      for (const { id } of held)
        db.prepare(
          `UPDATE continuations SET state = 'held', owner = NULL, lease_until = NULL, message_id = ? WHERE id = ?`
        ).run(messageId, id)
    },

    /**
     * At start: what an earlier run of the program had claimed is ours, as the home's lock proves that it is gone.
     * Claims of a message that is still open stay with it; the others wait again.
     */
    adopt(_tx: Tx): void {
      db.prepare(
        `UPDATE continuations SET owner = @owner, lease_until = @until, attempts = attempts + 1
          WHERE state = 'claimed' AND owner <> @owner
            AND message_id IN (SELECT id FROM messages WHERE state = 'streaming')`
      ).run({ owner, until: store.clock.now() + leaseMs })
      db.prepare(
        `UPDATE continuations SET state = 'pending', owner = NULL, lease_until = NULL
          WHERE state = 'claimed' AND owner <> @owner`
      ).run({ owner })
    }
  }
}

/** What the model is told about results: the app's own words, with what came from hosts behind marks. */
export function noteOf(results: readonly Continuation[]): string {
  return results
    .map((result) =>
      result.cause === 'decision' ? result.note : fence(result.id, 'the execution', result.note)
    )
    .join('\n')
}
