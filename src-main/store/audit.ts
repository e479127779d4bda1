import type BetterSqlite3 from 'better-sqlite3'
import type { AuditEntry, AuditSubject, AuditVerification } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import { canonicalJson, sha256 } from '../base/canonical'

interface AuditRow {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly route: string | null
  readonly data: string
  readonly prev_hash: string
  readonly hash: string
}

/** Which entries are listed, and how many. */
export interface AuditFilter {
  /** Only entries with a lower number. */
  readonly before?: number | undefined
  readonly limit?: number
  readonly about?: AuditSubject
  /** Words that stand in the entry: a guest, a host, a route, an id. */
  readonly query?: string
}

const kinds: Readonly<Record<AuditSubject, string>> = {
  all: '1',
  decisions: "(kind GLOB 'approval.*' OR kind GLOB 'window.*' OR kind GLOB 'allowance.*')",
  executions: "(kind GLOB 'execution.*' OR kind GLOB 'plan.*')",
  hosts: "kind GLOB 'host_key.*'",
  tools: "(kind GLOB 'skill.*' OR kind GLOB 'mcp.*')"
}

/** What the chain begins with. */
const genesis = '0'.repeat(64)

/** The audit trail: append-only, each entry's hash covering the one before it. */
export class Audit {
  private readonly insert: BetterSqlite3.Statement<unknown[]>
  private readonly last: BetterSqlite3.Statement<[], { hash: string }>

  constructor(
    private readonly db: BetterSqlite3.Database,
    private readonly clock: Clock
  ) {
    this.insert = db.prepare(
      'INSERT INTO audit (at, kind, subject, route, data, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?)'
    )
    this.last = db.prepare('SELECT hash FROM audit ORDER BY seq DESC LIMIT 1')
  }

  /** Adds an entry; inside the transaction of what it records. Never give it secrets or contents of files. */
  append(kind: string, subject: string, route: string | null, data: Readonly<Record<string, unknown>>): void {
    const at = this.clock.now()
    const previous = this.last.get()?.hash ?? genesis
    const text = canonicalJson(data)
    this.insert.run(
      at,
      kind,
      subject,
      route,
      text,
      previous,
      hashOf(previous, { at, kind, subject, route, data: text })
    )
  }

  /** Newest first. */
  list({ before, limit = 100, about = 'all', query = '' }: AuditFilter): readonly AuditEntry[] {
    return this.db
      .prepare<[Record<string, string | number>], AuditRow>(
        `SELECT * FROM audit WHERE seq < @before AND ${kinds[about]}
        AND (kind || ' ' || subject || ' ' || ifnull(route, '') || ' ' || data) LIKE @query ESCAPE '\\'
        ORDER BY seq DESC LIMIT @limit`
      )
      .all({
        before: before ?? Number.MAX_SAFE_INTEGER,
        limit,
        query: `%${query.trim().replace(/[\\%_]/g, '\\$&')}%`
      })
      .map(entryOf)
  }

  /** Recomputes the whole chain. A missing end shows too: SQLite remembers the last number it gave. */
  verify(): AuditVerification {
    let previous = genesis
    let entries = 0
    let lastSeq = 0
    for (const row of this.rows()) {
      const fits = row.seq === lastSeq + 1 && row.prev_hash === previous && row.hash === hashOf(previous, row)
      if (!fits) return { ok: false, entries, brokenAt: row.seq }
      previous = row.hash
      lastSeq = row.seq
      entries++
    }
    const given =
      this.db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").get()
        ?.seq ?? 0
    return given === lastSeq
      ? { ok: true, entries, brokenAt: null }
      : { ok: false, entries, brokenAt: lastSeq + 1 }
  }

  export(format: 'json' | 'csv'): string {
    const rows = [...this.rows()]
    if (format === 'json')
      return JSON.stringify(
        rows.map((row) => ({ ...entryOf(row), previous: row.prev_hash })),
        null,
        2
      )
    const header = ['seq', 'at', 'kind', 'subject', 'route', 'data', 'prev_hash', 'hash']
    const lines = rows.map((row) => [
      String(row.seq),
      new Date(row.at).toISOString(),
      row.kind,
      row.subject,
      row.route ?? '',
      row.data,
      row.prev_hash,
      row.hash
    ])
    return [header, ...lines].map((cells) => cells.map(csvCell).join(',')).join('\r\n') + '\r\n'
  }

  private rows(): IterableIterator<AuditRow> {
    return this.db.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY seq').iterate()
  }
}

const hashOf = (
  previous: string,
  row: Pick<AuditRow, 'at' | 'kind' | 'subject' | 'route' | 'data'>
): string =>
  sha256(
    canonicalJson({
      previous,
      at: row.at,
      kind: row.kind,
      subject: row.subject,
      route: row.route,
      data: row.data
    })
  )

const entryOf = (row: AuditRow): AuditEntry => ({
  seq: row.seq,
  at: row.at,
  kind: row.kind,
  subject: row.subject,
  route: row.route,
  data: JSON.parse(row.data) as Record<string, unknown>,
  hash: row.hash
})

/** Quoted for RFC 4180; a leading `'` keeps a spreadsheet from taking the cell for a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
