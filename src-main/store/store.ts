import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import type BetterSqlite3 from 'better-sqlite3'
import type { NomosEvent } from '../../src-preload/contract'
import type { Clock } from '../base/clock'
import { silentLogger, type Logger } from '../base/log'
import { fail, messageOf, ok, type Result } from '../base/result'
import { EventBus } from './bus'
import { DiskBanner } from './disk-banner'
import { recordOf } from './event-record'
import { migrate, refuseNewer } from './migrate'
import { putRestoreInPlace } from './restore'
import { assertSound } from './sound'

/** What work inside a transaction can do beside SQL: announce what it changed. */
export interface Tx {
  /** Written to the event log now, shown after the commit. */
  emit(event: NomosEvent): void
  /** Runs once the transaction is committed; for waking whoever reads the tables. */
  afterCommit(action: () => void): void
}

/**
 * The one writer connection of the program.
 * Every change of state is a `transact`: the rows and the events about them are committed together,
 * and only then shown. Nothing may be awaited inside.
 */
export class Store {
  readonly bus: EventBus
  private readonly disk: DiskBanner
  private readonly insertEvent: BetterSqlite3.Statement
  private current: { events: NomosEvent[]; actions: (() => void)[] } | null = null

  constructor(
    readonly db: BetterSqlite3.Database,
    readonly clock: Clock,
    log: Logger = silentLogger
  ) {
    this.bus = new EventBus(clock, log)
    this.disk = new DiskBanner((event) => this.bus.publish(event))
    this.insertEvent = db.prepare('INSERT INTO events (at, type, subject, state) VALUES (?, ?, ?, ?)')
  }

  /** The folder of the database. */
  get folder(): string {
    return dirname(this.db.name)
  }

  /**
   * Runs `work` in one immediate transaction; nested calls join the outer one. A disk that takes no writes is told to
   * every window, and throws like any other failure: nothing of the transaction is kept.
   */
  transact<T>(work: (tx: Tx) => T): T {
    if (this.current) return work(this.txOf(this.current))
    const pending = { events: [] as NomosEvent[], actions: [] as (() => void)[] }
    this.current = pending
    let value: T
    try {
      value = this.db.transaction(() => work(this.txOf(pending))).immediate()
    } catch (error) {
      this.disk.failed(error)
      throw error
    } finally {
      this.current = null
    }
    this.disk.wrote()
    for (const event of pending.events) this.bus.publish(event)
    for (const action of pending.actions) action()
    return value
  }

  /** Shows something that is not state, such as a piece of text already written or an activity. */
  announce(event: NomosEvent): void {
    this.bus.publish(event)
  }

  close(): void {
    this.db.pragma('wal_checkpoint(TRUNCATE)')
    this.db.close()
  }

  private txOf(pending: { events: NomosEvent[]; actions: (() => void)[] }): Tx {
    return {
      emit: (event) => {
        const record = recordOf(event)
        if (record) this.insertEvent.run(this.clock.now(), event.type, record.subject, record.state)
        pending.events.push(event)
      },
      afterCommit: (action) => pending.actions.push(action)
    }
  }
}

/**
 * Makes the file readable by its owner alone before anything is in it, also in a folder that others may enter.
 * SQLite gives the log beside it the same mode.
 */
function keepToOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  if (process.platform !== 'win32') chmodSync(file, 0o600)
}

/**
 * Opens `folder/nomos.db`, checks it, and brings it to the newest version.
 * WAL with `synchronous=FULL`: a committed approval survives a power cut.
 */
export function openStore(
  folder: string,
  migrations: string,
  clock: Clock,
  log: Logger = silentLogger
): Result<Store> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'nomos.db')
  let db: BetterSqlite3.Database
  try {
    putRestoreInPlace(folder, clock.now())
    const version = refuseNewer(file, migrations)
    if (!version.ok) return version
    keepToOwner(file)
    db = new Database(file)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('busy_timeout = 5000')
    db.pragma('trusted_schema = OFF')
    if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous=FULL was not accepted')
    assertSound(db)
  } catch (error) {
    return fail(
      'database_unreadable',
      `The database in ${folder} cannot be opened: ${messageOf(error)}`,
      'Restore a copy from the backups folder beside it.'
    )
  }
  const migrated = migrate(db, migrations, join(folder, 'backups'))
  if (!migrated.ok) {
    db.close()
    return migrated
  }
  return ok(new Store(db, clock, log))
}
