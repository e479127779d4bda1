import type { Store } from '../../store/store'

/** A tool as it was allowed. */
export interface Pin {
  readonly launch: string
  readonly hash: string
  readonly description: string
}

/** What the operator has confirmed and allowed, in `mcp_consents` and `mcp_tools`. Writes belong in a transaction. */
export class ConsentTable {
  constructor(private readonly store: Store) {}

  /** Hash of what was confirmed to be started or connected to. */
  consent(server: string): string | null {
    const row = this.store.db.prepare('SELECT hash FROM mcp_consents WHERE server = ?').get(server) as
      { hash: string } | undefined
    return row?.hash ?? null
  }

  giveConsent(server: string, hash: string): void {
    this.store.db
      .prepare(
        `INSERT INTO mcp_consents (server, hash, at) VALUES (?, ?, ?)
         ON CONFLICT (server) DO UPDATE SET hash = excluded.hash, at = excluded.at`
      )
      .run(server, hash, this.store.clock.now())
  }

  /** The tools that were allowed of this server, by name. */
  pins(server: string): ReadonlyMap<string, Pin> {
    const rows = this.store.db
      .prepare('SELECT name, launch, hash, description FROM mcp_tools WHERE server = ?')
      .all(server) as (Pin & { name: string })[]
    return new Map(rows.map(({ name, ...pin }) => [name, pin]))
  }

  pin(server: string, name: string, { launch, hash, description }: Pin): void {
    this.store.db
      .prepare(
        `INSERT INTO mcp_tools (server, name, launch, hash, description, at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (server, name) DO UPDATE
         SET launch = excluded.launch, hash = excluded.hash, description = excluded.description, at = excluded.at`
      )
      .run(server, name, launch, hash, description, this.store.clock.now())
  }

  unpin(server: string, name: string): void {
    this.store.db.prepare('DELETE FROM mcp_tools WHERE server = ? AND name = ?').run(server, name)
  }

  forget(server: string): void {
    this.store.db.prepare('DELETE FROM mcp_consents WHERE server = ?').run(server)
    this.store.db.prepare('DELETE FROM mcp_tools WHERE server = ?').run(server)
  }
}
