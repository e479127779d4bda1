import { z } from 'zod'
import type { ToolCallDetail, ToolCallView } from '../../src-preload/contract'
import { readJson } from '../base/json'
import { redact } from '../base/redact'
import type { Store, Tx } from '../store/store'
import type { ToolOutcome } from '../tools/tool'
import { firstWords, withoutSecrets, wellFormed } from './text'

const callRow = z.object({
  id: z.string(),
  message_id: z.string(),
  session_id: z.string(),
  step: z.number(),
  name: z.string(),
  args: z.string(),
  sentence: z.string(),
  object: z.string(),
  state: z.enum(['pending', 'running', 'done', 'failed', 'interrupted']),
  text: z.string().nullable(),
  structured: z.string().nullable(),
  error: z.string().nullable(),
  taint: z.enum(['web', 'mcp', 'file']).nullable(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable()
})
export type CallRow = z.infer<typeof callRow>

/** Longest result that is kept; tools page what is longer. */
const keptCharacters = 1_000_000

/** Characters of arguments that are read for the sentence, and of one of them. */
const sentenceArgs = { all: 4000, one: 200 } as const

/** The arguments that are a word or a number; long ones are a content, not a name. */
export function shortArgs(args: unknown): Record<string, unknown> {
  const isShort = (value: unknown) =>
    typeof value === 'string' ? value.length <= sentenceArgs.one : typeof value === 'number'
  return Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => isShort(value)))
}

const viewOf = (row: CallRow): ToolCallView => ({
  id: row.id,
  messageId: row.message_id,
  sessionId: row.session_id,
  name: row.name,
  sentence: row.sentence,
  object: row.object,
  facts: row.args.length > sentenceArgs.all ? {} : shortArgs(readJson(row.args)),
  state: row.state,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  error: row.error
})

/** In the place of what a call was given, when that cannot be read any more. */
export const argsDamaged = 'The record of what this call was given is damaged.'

/** What a call whose end was not seen tells the model. */
export const outcomeUnknown =
  'Interrupted: the outcome of this call is not known, it may or may not have taken effect. Look at the current state before doing it again.'

export interface NewCall {
  readonly id: string
  readonly messageId: string
  readonly sessionId: string
  readonly step: number
  readonly name: string
  readonly args: unknown
  readonly sentence: string
  readonly object: string
}

export type Calls = ReturnType<typeof createCalls>

/** The table of tool calls: each is written before it runs, and its result before the model hears of it. */
export function createCalls(store: Store) {
  const { db } = store
  const select = db.prepare('SELECT * FROM tool_calls WHERE id = ?')
  const get = (id: string): CallRow | null => {
    const raw = select.get(id)
    return raw === undefined ? null : callRow.parse(raw)
  }
  const announce = (tx: Tx, id: string): void => {
    const row = get(id)
    if (row) tx.emit({ type: 'tool_call.changed', call: viewOf(row) })
  }

  return {
    insert(tx: Tx, call: NewCall): void {
      db.prepare(
        `INSERT INTO tool_calls (id, message_id, session_id, step, name, args, sentence, object, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending')`
      ).run(
        call.id,
        call.messageId,
        call.sessionId,
        call.step,
        call.name,
        JSON.stringify(call.args ?? null),
        wellFormed(call.sentence),
        wellFormed(call.object)
      )
      announce(tx, call.id)
    },

    start(id: string): void {
      store.transact((tx) => {
        db.prepare(`UPDATE tool_calls SET state = 'running', started_at = ? WHERE id = ?`).run(
          store.clock.now(),
          id
        )
        announce(tx, id)
      })
    },

    /** Stores the result, unless the call was given up meanwhile; false then. */
    finish(tx: Tx, id: string, outcome: ToolOutcome): boolean {
      const text = wellFormed(redact(outcome.text)).slice(0, keptCharacters)
      const now = store.clock.now()
      const { changes } = db
        .prepare(
          `UPDATE tool_calls SET state = @state, text = @text, structured = @structured, error = @error, taint = @taint,
                  started_at = COALESCE(started_at, @now), ended_at = @now
            WHERE id = @id AND state IN ('pending', 'running')`
        )
        .run({
          id,
          now,
          text,
          state: outcome.isError === true ? 'failed' : 'done',
          structured: outcome.structured ? JSON.stringify(withoutSecrets(outcome.structured)) : null,
          error: outcome.isError === true ? firstWords(text, 300) : null,
          taint: outcome.taint ?? null
        })
      if (changes > 0) announce(tx, id)
      return changes > 0
    },

    /** Gives up every call of a message that has not ended. */
    interrupt(tx: Tx, messageId: string): void {
      const open = z
        .array(z.string())
        .parse(
          db
            .prepare(`SELECT id FROM tool_calls WHERE message_id = ? AND state IN ('pending', 'running')`)
            .pluck()
            .all(messageId)
        )
      for (const id of open) {
        db.prepare(
          `UPDATE tool_calls SET state = 'interrupted', text = ?, error = 'interrupted', ended_at = ? WHERE id = ?`
        ).run(outcomeUnknown, store.clock.now(), id)
        announce(tx, id)
      }
    },

    ofMessage: (messageId: string): CallRow[] =>
      db
        .prepare('SELECT * FROM tool_calls WHERE message_id = ? ORDER BY rowid')
        .all(messageId)
        .map((raw) => callRow.parse(raw)),

    views(messageIds: readonly string[]): ToolCallView[] {
      return db
        .prepare(
          'SELECT * FROM tool_calls WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY rowid'
        )
        .all(JSON.stringify(messageIds))
        .map((raw) => viewOf(callRow.parse(raw)))
    },

    detail(id: string): ToolCallDetail | null {
      const row = get(id)
      return (
        row && {
          ...viewOf(row),
          input: readJson(row.args) ?? argsDamaged,
          text: row.text,
          structured: readJson(row.structured ?? 'null') ?? null
        }
      )
    },

    /** Where text from outside came from since the operator's last message or approval: `web`, an imported `file`, or external servers. */
    taintedBy(sessionId: string): string[] {
      const rows = db
        .prepare(
          `SELECT DISTINCT CASE taint WHEN 'mcp' THEN substr(name, 1, instr(name || '__', '__') - 1) ELSE taint END
             FROM tool_calls WHERE session_id = @id AND taint IS NOT NULL AND ended_at >= MAX(
               COALESCE((SELECT MAX(decided_at) FROM approvals WHERE session_id = @id AND state = 'approved'
                          AND route NOT IN ('window', 'policy', 'plan')), 0),
               COALESCE((SELECT MAX(created_at) FROM messages
                          WHERE session_id = @id AND role = 'user' AND state <> 'queued'), 0))`
        )
        .pluck()
        .all({ id: sessionId })
      return z.array(z.string()).parse(rows)
    },

    /** True when text from outside came into the session after the operator's last approval in it. */
    tainted(sessionId: string): boolean {
      return (
        db
          .prepare(
            `WITH decided (at) AS (SELECT COALESCE(MAX(decided_at), 0) FROM approvals
                WHERE session_id = @id AND state = 'approved' AND route NOT IN ('window', 'policy', 'plan'))
             SELECT EXISTS (SELECT 1 FROM tool_calls, decided
                             WHERE session_id = @id AND taint IS NOT NULL AND ended_at >= at)
                 OR EXISTS (SELECT 1 FROM sessions, decided WHERE id = @id AND imported_at >= at)`
          )
          .pluck()
          .get({ id: sessionId }) === 1
      )
    }
  }
}
