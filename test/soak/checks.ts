import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type BetterSqlite3 from 'better-sqlite3'
import { systemClock } from '../../src-main/base/clock'
import { Audit } from '../../src-main/store/audit'
import { isTerminal, type ExecutionState } from '../../src-preload/contract'

interface Recorded {
  readonly id: string
  readonly action: string
  readonly session_id: string | null
  readonly state: ExecutionState
  readonly risk: string
  readonly hash: string
  readonly approval: string | null
  readonly approved_hash: string | null
  readonly told: number
  readonly told_state: string | null
  readonly told_in: string | null
}

/** What a look at the files of a program that is not running has found. */
export interface Findings {
  readonly violations: readonly string[]
  /** Executions by their state. */
  readonly states: Readonly<Record<string, number>>
}

/** What the driver knows beside the program. */
export interface Witness {
  readonly home: string
  /** How often each job's script was run on the host. */
  readonly starts: ReadonlyMap<string, number>
  readonly secret: string
  /** Messages that were shown and not taken away again. */
  readonly shown: ReadonlySet<string>
}

/** The invariants at the head of the cases, on a copy, so that what the kill has left stays as it is. */
export function lookAfterKill(witness: Witness): Findings {
  return onCopy(witness.home, (db) => ({
    violations: [
      ...healthOf(db),
      ...startsIn(db, witness.starts),
      ...leaksIn(witness.home, witness.secret),
      ...lostMessages(db, witness.shown)
    ],
    states: statesOf(db)
  }))
}

/** The same when everything has come to rest: nothing is left open, and each result was told once. */
export function lookInTheEnd(witness: Witness): Findings {
  const now = lookAfterKill(witness)
  return onCopy(witness.home, (db) => ({
    violations: [...now.violations, ...openIn(db), ...untoldIn(db)],
    states: now.states
  }))
}

function onCopy(home: string, look: (db: BetterSqlite3.Database) => Findings): Findings {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-soak-look-'))
  try {
    for (const name of ['nomos.db', 'nomos.db-wal'])
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(folder, name))
    const db = new Database(join(folder, 'nomos.db'))
    try {
      return look(db)
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function healthOf(db: BetterSqlite3.Database): string[] {
  const found: string[] = []
  const integrity = db.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') found.push(`integrity_check: ${String(integrity)}`)
  const foreign = db.pragma('foreign_key_check') as unknown[]
  if (foreign.length > 0) found.push(`foreign_key_check: ${JSON.stringify(foreign.slice(0, 3))}`)
  const audit = new Audit(db, systemClock).verify()
  if (!audit.ok) found.push(`audit chain broken at ${audit.brokenAt}`)
  return found
}

const recorded = (db: BetterSqlite3.Database): Recorded[] =>
  db
    .prepare<[], Recorded>(
      `SELECT e.id, e.action, e.session_id, e.state, e.risk, e.hash, a.state AS approval, a.hash AS approved_hash,
        (SELECT count(*) FROM continuations c WHERE c.subject_id = e.id) AS told,
        (SELECT c.state FROM continuations c WHERE c.subject_id = e.id) AS told_state,
        (SELECT m.id FROM continuations c JOIN messages m ON m.id = c.message_id WHERE c.subject_id = e.id) AS told_in
       FROM executions e LEFT JOIN approvals a ON a.subject_id = e.id`
    )
    .all()

/** Each execution at most once on the host, and only with its own approval. */
function startsIn(db: BetterSqlite3.Database, starts: ReadonlyMap<string, number>): string[] {
  const known = new Map(recorded(db).map((row) => [row.id, row]))
  return [...starts].flatMap(([id, count]) => {
    const row = known.get(id)
    if (!row) return [`${id} ran and is not recorded`]
    const found: string[] = []
    if (count > 1) found.push(`${row.action} ${id} ran ${count} times`)
    const free = row.risk === 'read_only' && row.approval === null
    if (!free && (row.approval !== 'approved' || row.approved_hash !== row.hash))
      found.push(`${row.action} ${id} ran without its approval (${row.approval})`)
    return found
  })
}

function leaksIn(home: string, secret: string): string[] {
  const files = ['nomos.db', 'nomos.db-wal', ...filesIn(home, 'logs'), ...filesIn(home, 'outputs')]
  return files
    .filter((file) => existsSync(join(home, file)) && readFileSync(join(home, file)).includes(secret))
    .map((file) => `the key is in ${file}`)
}

const filesIn = (home: string, folder: string): string[] =>
  existsSync(join(home, folder)) ? readdirSync(join(home, folder)).map((name) => join(folder, name)) : []

function lostMessages(db: BetterSqlite3.Database, shown: ReadonlySet<string>): string[] {
  const kept = new Set(db.prepare('SELECT id FROM messages').pluck().all())
  return [...shown].filter((id) => !kept.has(id)).map((id) => `message ${id} was shown and is gone`)
}

function openIn(db: BetterSqlite3.Database): string[] {
  const open = recorded(db)
    .filter((row) => !isTerminal(row.state))
    .map((row) => `${row.action} ${row.id} is still ${row.state}`)
  const writing = db.prepare("SELECT id FROM messages WHERE state IN ('streaming', 'queued')").pluck().all()
  return [...open, ...writing.map((id) => `message ${String(id)} was never ended`)]
}

/** A denial and an expiry are told by the decision; everything else by one continuation or one visible note. */
function untoldIn(db: BetterSqlite3.Database): string[] {
  return recorded(db)
    .filter((row) => row.session_id !== null && row.state !== 'denied' && row.state !== 'expired')
    .filter(
      (row) =>
        row.told !== 1 ||
        row.told_in === null ||
        (row.told_state !== 'delivered' && row.told_state !== 'held')
    )
    .map((row) => `${row.action} ${row.id} (${row.state}) was not told: ${row.told_state ?? 'nothing'}`)
}

function statesOf(db: BetterSqlite3.Database): Record<string, number> {
  const rows = db
    .prepare<[], { state: string; n: number }>(
      'SELECT state, count(*) AS n FROM executions GROUP BY state ORDER BY n DESC'
    )
    .all()
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
