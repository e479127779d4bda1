import type { ApprovalRoute, AssentWindowView } from '../../src-preload/contract'
import { readJson } from '../base/json'
import { newId } from '../base/ids'
import { fail, ok, type Result } from '../base/result'
import type { Tx } from '../store/store'
import { identityOf, type Context } from './context'
import type { ScopeEntry } from './scope'

interface WindowRow {
  readonly id: string
  readonly session_id: string
  readonly opened_at: number
  readonly expires_at: number
  readonly ended_at: number | null
  readonly ended_why: string | null
  readonly route: ApprovalRoute
  readonly scope: string
  readonly continuations: number
}

/** An entry as a window holds it: of the machine that the host's name stood for when it was approved. */
interface HeldEntry extends ScopeEntry {
  readonly identity: string | null
}

const minute = 60_000

/**
 * Assent windows: per session, opened or renewed by the operator's approval over any route, with a scope of targets.
 * Only approvals open them and nothing the agent does makes one longer.
 */
export class Windows {
  constructor(private readonly context: Context) {}

  /** Opens the session's window, or renews it and widens its scope. */
  renew(tx: Tx, sessionId: string, route: ApprovalRoute, scope: readonly ScopeEntry[]): void {
    const { clock, config, store, audit } = this.context
    const now = clock.now()
    const expires = now + config.get().assentWindowMinutes * minute
    const open = this.openRow(tx, sessionId)
    if (open) {
      const merged = merge(this.scopeOf(open), this.held(scope))
      store.db
        .prepare('UPDATE assent_windows SET expires_at = ?, scope = ?, route = ? WHERE id = ?')
        .run(expires, JSON.stringify(merged), route, open.id)
      audit.append('window.renewed', open.id, route, { sessionId, expiresAt: expires, scope: labels(merged) })
      this.announce(tx, open.id)
      return
    }
    const id = newId()
    store.db
      .prepare(
        `INSERT INTO assent_windows (id, session_id, opened_at, expires_at, route, scope) VALUES (?, ?, ?, ?, ?, ?)`
      )
      .run(id, sessionId, now, expires, route, JSON.stringify(this.held(scope)))
    audit.append('window.opened', id, route, { sessionId, expiresAt: expires, scope: labels(scope) })
    this.announce(tx, id)
  }

  /** True when the session's window is open and covers the target. */
  covers(tx: Tx, sessionId: string, keys: readonly string[]): boolean {
    const open = this.openRow(tx, sessionId)
    return open !== null && this.scopeOf(open).some((entry) => keys.includes(entry.key))
  }

  /** What a covered execution creates is in scope too. */
  widen(tx: Tx, sessionId: string, created: readonly ScopeEntry[]): void {
    const open = this.openRow(tx, sessionId)
    if (!open) return
    const before = this.scopeOf(open)
    const merged = merge(before, this.held(created))
    if (merged.length === before.length) return
    this.context.store.db
      .prepare('UPDATE assent_windows SET scope = ? WHERE id = ?')
      .run(JSON.stringify(merged), open.id)
    this.announce(tx, open.id)
  }

  /** Closes the session's window if what was denied is in its scope, or it is not known what it was (null). */
  closeOnDenial(tx: Tx, sessionId: string, keys: readonly string[] | null): void {
    const open = this.openRow(tx, sessionId)
    if (open && (keys === null || this.scopeOf(open).some((entry) => keys.includes(entry.key))))
      this.withdraw(tx, open, 'Something in its scope was denied.')
  }

  /** Closes every window with something on the host in its scope. */
  closeOnHost(tx: Tx, host: string, why: string): void {
    for (const row of this.openRows())
      if (scopeIn(row).some((entry) => entry.host === host)) this.withdraw(tx, row, why)
  }

  /** Closes every window with something on a host in its scope that is configured, but not as it was. */
  closeChanged(tx: Tx, why: string, isConfigured: (host: string) => boolean): void {
    for (const row of this.openRows()) {
      const lost = scopeIn(row).filter((entry) => !this.isHeld(entry))
      if (lost.some(({ host }) => isConfigured(host))) this.withdraw(tx, row, why)
    }
  }

  end(tx: Tx, id: string, why: string): Result<AssentWindowView> {
    const row = this.row(id)
    if (!row) return fail('window_not_found', 'There is no such window of assent.')
    if (row.ended_at === null) this.withdraw(tx, row, why)
    return ok(this.view(this.row(id) ?? row))
  }

  /** Ends every window whose time is over, or whose clock was set back to before it was opened. */
  expire(tx: Tx): void {
    for (const row of this.openRows()) this.endIfOver(tx, row)
  }

  /** When the next open window ends; null when none is open. */
  nextDeadline(): number | null {
    const found = this.context.store.db
      .prepare<[], { next: number | null }>(
        'SELECT min(expires_at) AS next FROM assent_windows WHERE ended_at IS NULL'
      )
      .get()
    return found?.next ?? null
  }

  open(sessionId: string): AssentWindowView | null {
    const now = this.context.clock.now()
    const row = this.openRows().find((each) => each.session_id === sessionId)
    return row && !isOver(row, now) ? this.view(row) : null
  }

  all(): AssentWindowView[] {
    const now = this.context.clock.now()
    return this.openRows()
      .filter((row) => !isOver(row, now))
      .map((row) => this.view(row))
  }

  private openRow(tx: Tx, sessionId: string): WindowRow | null {
    const row = this.openRows().find((each) => each.session_id === sessionId)
    return !row || this.endIfOver(tx, row) ? null : row
  }

  private endIfOver(tx: Tx, row: WindowRow): boolean {
    const now = this.context.clock.now()
    if (!isOver(row, now)) return false
    this.endRow(tx, row, now < row.opened_at ? 'The clock was set back.' : 'Its time is over.')
    return true
  }

  /** Ends a window before its time; what was allowed beforehand in the session goes with it. */
  private withdraw(tx: Tx, row: WindowRow, why: string): void {
    this.context.allowances.endOfSession(tx, row.session_id, why)
    this.endRow(tx, row, why)
  }

  private endRow(tx: Tx, row: WindowRow, why: string): void {
    const { store, clock, audit } = this.context
    store.db
      .prepare('UPDATE assent_windows SET ended_at = ?, ended_why = ? WHERE id = ? AND ended_at IS NULL')
      .run(clock.now(), why, row.id)
    audit.append('window.ended', row.id, null, { sessionId: row.session_id, why })
    this.announce(tx, row.id)
  }

  private row(id: string): WindowRow | null {
    return (
      this.context.store.db
        .prepare<[string], WindowRow>('SELECT * FROM assent_windows WHERE id = ?')
        .get(id) ?? null
    )
  }

  private openRows(): WindowRow[] {
    return this.context.store.db
      .prepare<[], WindowRow>('SELECT * FROM assent_windows WHERE ended_at IS NULL ORDER BY id')
      .all()
  }

  private announce(tx: Tx, id: string): void {
    const row = this.row(id)
    if (row) tx.emit({ type: 'assent.changed', assent: this.view(row) })
  }

  private held(scope: readonly ScopeEntry[]): readonly HeldEntry[] {
    return scope.map((entry) => ({ ...entry, identity: identityOf(this.context, entry.host) }))
  }

  /** What the window covers: a host's name that stands for another machine or user by now does not count. */
  private scopeOf(row: WindowRow): readonly HeldEntry[] {
    return scopeIn(row).filter((entry) => this.isHeld(entry))
  }

  private isHeld(entry: HeldEntry): boolean {
    return entry.identity !== null && entry.identity === identityOf(this.context, entry.host)
  }

  private view(row: WindowRow): AssentWindowView {
    return {
      id: row.id,
      sessionId: row.session_id,
      openedAt: row.opened_at,
      expiresAt: row.expires_at,
      endedAt: row.ended_at,
      endedWhy: row.ended_why,
      scope: labels(row.ended_at === null ? this.scopeOf(row) : scopeIn(row)),
      continuations: row.continuations
    }
  }
}

const isOver = (row: WindowRow, now: number): boolean => now >= row.expires_at || now < row.opened_at

/** A damaged scope covers nothing. */
const scopeIn = (row: WindowRow): readonly HeldEntry[] =>
  (readJson(row.scope) as readonly HeldEntry[] | undefined) ?? []

const merge = (a: readonly HeldEntry[], b: readonly HeldEntry[]): readonly HeldEntry[] => {
  const known = new Set(a.map((entry) => `${entry.key} ${entry.label}`))
  return [...a, ...b.filter((entry) => !known.has(`${entry.key} ${entry.label}`))]
}

const labels = (scope: readonly ScopeEntry[]): readonly string[] => [
  ...new Set(scope.map((entry) => entry.label))
]
