import type BetterSqlite3 from 'better-sqlite3'
import { z } from 'zod'
import { actionRequestSchema, type SignalView } from '../../src-preload/contract'
import { signalKinds } from '../../src-preload/contract'
import { newId } from '../base/ids'
import { readJson } from '../base/json'
import type { Condition } from './port'

const time = z.number().nullable()
const readFacts = (json: string) => (readJson(json) ?? {}) as Readonly<Record<string, unknown>>
const rowSchema = z.object({
  id: z.string(),
  key: z.string(),
  kind: z.enum(signalKinds),
  subject: z.string(),
  level: z.enum(['info', 'warning', 'critical']),
  target: z.string(),
  host: z.string().nullable(),
  title: z.string(),
  detail: z.string(),
  facts: z.string().transform((text) => readFacts(text)),
  action: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : actionRequestSchema.parse(JSON.parse(text)))),
  state: z.enum(['open', 'acknowledged', 'resolved']),
  count: z.number(),
  quiet: z.number().transform((flag) => flag === 1),
  opened_at: z.number(),
  changed_at: z.number(),
  acknowledged_at: time,
  resolved_at: time,
  execution_id: z.string().nullable(),
  acts: z.number(),
  acting_since: time
})
export type SignalRow = z.output<typeof rowSchema>

export const keyOf = ({ kind, subject, about }: Pick<Condition, 'kind' | 'subject' | 'about'>): string =>
  `${kind} ${subject} ${about}`.trim()

/** The rows of `signals`. Writes belong in a transaction with their event. */
export class SignalTable {
  constructor(private readonly db: BetterSqlite3.Database) {}

  get(id: string): SignalRow | null {
    return this.one('SELECT * FROM signals WHERE id = ?', id)
  }

  byKey(key: string): SignalRow | null {
    return this.one('SELECT * FROM signals WHERE key = ?', key)
  }

  /** True the first time that it is asked for this look. */
  isFirst(look: string, at: number): boolean {
    return (
      this.db.prepare('INSERT OR IGNORE INTO signal_looks (name, at) VALUES (?, ?)').run(look, at).changes ===
      1
    )
  }

  unresolved(): readonly SignalRow[] {
    return this.many("SELECT * FROM signals WHERE state <> 'resolved'")
  }

  /** The latest that are resolved. */
  resolved(limit: number): readonly SignalRow[] {
    return this.many(
      "SELECT * FROM signals WHERE state = 'resolved' ORDER BY resolved_at DESC LIMIT ?",
      limit
    )
  }

  /** Keeps the latest `kept` of those that are over. */
  forgetOldest(kept: number): void {
    this.db
      .prepare(
        `DELETE FROM signals WHERE id IN
           (SELECT id FROM signals WHERE state = 'resolved' ORDER BY resolved_at DESC LIMIT -1 OFFSET ?)`
      )
      .run(kept)
  }

  insert(condition: Condition, at: number, quiet: boolean): string {
    const id = newId()
    this.db
      .prepare(
        `INSERT INTO signals (id, key, subject, kind, level, target, host, title, detail, facts, action, state, quiet, opened_at, changed_at)
         VALUES (@id, @key, @subject, @kind, @level, @target, @host, @title, @detail, @facts, @action, 'open', @quiet, @at, @at)`
      )
      .run({
        ...told(condition),
        id,
        key: keyOf(condition),
        subject: condition.subject,
        quiet: Number(quiet),
        at
      })
    return id
  }

  /** The condition is the same, but what is said of it has changed. */
  describe(id: string, condition: Condition, at: number): void {
    this.db
      .prepare(
        `UPDATE signals SET level = @level, target = @target, host = @host, title = @title, detail = @detail, facts = @facts,
           action = @action, changed_at = @at WHERE id = @id`
      )
      .run({ ...told(condition), id, at })
  }

  reopen(id: string, condition: Condition, at: number, quiet: boolean): void {
    this.describe(id, condition, at)
    this.db
      .prepare(
        `UPDATE signals SET state = 'open', count = count + 1, quiet = ?, opened_at = ?, acknowledged_at = NULL,
           resolved_at = NULL, execution_id = NULL WHERE id = ?`
      )
      .run(Number(quiet), at, id)
  }

  acknowledge(id: string, at: number): void {
    this.db
      .prepare("UPDATE signals SET state = 'acknowledged', acknowledged_at = ?, changed_at = ? WHERE id = ?")
      .run(at, at, id)
  }

  unacknowledge(id: string, at: number): void {
    this.db
      .prepare("UPDATE signals SET state = 'open', acknowledged_at = NULL, changed_at = ? WHERE id = ?")
      .run(at, id)
  }

  resolve(id: string, at: number): void {
    this.db
      .prepare("UPDATE signals SET state = 'resolved', resolved_at = ?, changed_at = ? WHERE id = ?")
      .run(at, at, id)
  }

  /** It has led to an execution, the `acts`th since `since`. */
  acted(id: string, executionId: string, acts: number, since: number, at: number): void {
    this.db
      .prepare('UPDATE signals SET execution_id = ?, acts = ?, acting_since = ?, changed_at = ? WHERE id = ?')
      .run(executionId, acts, since, at, id)
  }

  /** How often the signals of one thing have acted since. */
  actsOn(subject: string, since: number, until: number): number {
    return (
      this.db
        .prepare<unknown[], { acts: number }>(
          'SELECT coalesce(sum(acts), 0) AS acts FROM signals WHERE subject = ? AND acting_since BETWEEN ? AND ?'
        )
        .get(subject, since, until)?.acts ?? 0
    )
  }

  private one(sql: string, ...args: readonly unknown[]): SignalRow | null {
    const row = this.db.prepare(sql).get(...args)
    return row === undefined ? null : rowSchema.parse(row)
  }

  private many(sql: string, ...args: readonly unknown[]): readonly SignalRow[] {
    return this.db
      .prepare(sql)
      .all(...args)
      .map((row) => rowSchema.parse(row))
  }
}

const told = ({ kind, level, target, host, title, detail, facts, action }: Condition) => ({
  ...{ kind, level, target, host, title, detail },
  facts: JSON.stringify(facts),
  action: action === null ? null : JSON.stringify(action)
})

export const signalView = (row: SignalRow): SignalView => ({
  id: row.id,
  kind: row.kind,
  level: row.level,
  target: row.target,
  host: row.host,
  title: row.title,
  detail: row.detail,
  facts: row.facts,
  action: row.action,
  state: row.state,
  count: row.count,
  openedAt: row.opened_at,
  changedAt: row.changed_at,
  acknowledgedAt: row.acknowledged_at,
  resolvedAt: row.resolved_at,
  executionId: row.execution_id,
  quiet: row.quiet
})
