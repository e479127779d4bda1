import { z } from 'zod'
import type { HostConfig, HostKeyDecision, HostKeyOffer } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import { Audit } from '../store/audit'
import type { Store, Tx } from '../store/store'
import { keyChanged } from './errors'
import { fingerprintOf, keyTypeOf } from './fingerprint'

export type KeySource = 'first_use' | 'pin' | 'known_hosts' | 'replaced'

/** What keeping a key from each source is called in the audit trail. */
const decisions: Readonly<Record<KeySource, HostKeyDecision>> = {
  first_use: 'trusted',
  pin: 'pinned',
  known_hosts: 'imported',
  replaced: 'replaced'
}

const rowSchema = z.object({ type: z.string(), key: z.string(), fingerprint: z.string() })
type StoredKey = z.infer<typeof rowSchema>

interface SeenKey {
  readonly offer: HostKeyOffer
  readonly key: Buffer
  readonly pinned: boolean
}

/** The host keys that are trusted, kept by the configured name of the host, and those that were offered. */
export class HostKeys {
  private readonly seen = new Map<string, SeenKey>()
  private readonly audit: Audit

  constructor(private readonly store: Store) {
    this.audit = new Audit(store.db, store.clock)
  }

  /** Types of the keys that are trusted; a server is asked for these only, or another one would look changed. */
  trustedTypes(host: HostConfig): readonly string[] {
    const stored = this.stored(host.name)
    const fitting =
      host.hostKey === undefined ? stored : stored.filter((key) => key.fingerprint === host.hostKey)
    return fitting.map((key) => key.type)
  }

  trustedFingerprint(name: string, pin: string | undefined): string | null {
    return pin ?? this.stored(name)[0]?.fingerprint ?? null
  }

  /** Null when the key is trusted; otherwise what the operator has to judge. */
  judge(host: HostConfig, key: Buffer): HostKeyOffer | null {
    const type = keyTypeOf(key)
    const fingerprint = fingerprintOf(key)
    const stored = this.stored(host.name)
    if (host.hostKey === fingerprint) {
      if (!stored.some((other) => other.fingerprint === fingerprint)) this.keep(host.name, key, 'pin')
      return null
    }
    if (host.hostKey === undefined && stored.some((other) => other.fingerprint === fingerprint)) return null
    const expected =
      host.hostKey ?? stored.find((other) => other.type === type)?.fingerprint ?? stored[0]?.fingerprint
    const offer = { host: host.name, type, fingerprint, expected: expected ?? null }
    this.seen.set(host.name, { offer, key, pinned: host.hostKey !== undefined })
    return offer
  }

  /** Trusts a key that the host has shown; nothing else can be trusted. */
  trust(name: string, fingerprint: string, replaceChanged: boolean): Result<null> {
    const seen = this.seen.get(name)
    if (seen === undefined || seen.offer.fingerprint !== fingerprint)
      return fail(
        'host_key_not_offered',
        `${name} has not shown the key ${fingerprint}. Nothing was trusted.`,
        'Test the host again and compare the key that it shows now.',
        { host: name }
      )
    if (seen.pinned)
      return fail(
        'host_key_pinned',
        `The configuration pins another key for ${name}: ${seen.offer.expected ?? ''}. Nothing was trusted.`,
        'Change or remove "hostKey" of the host in the configuration.',
        { host: name }
      )
    if (seen.offer.expected !== null && !replaceChanged) return keyChanged(seen.offer)
    this.store.transact(() => {
      if (seen.offer.expected !== null) this.remove(name)
      this.keep(name, seen.key, seen.offer.expected === null ? 'first_use' : 'replaced', seen.offer.expected)
    })
    this.seen.delete(name)
    return ok(null)
  }

  /** Takes the trust back; the next connection asks anew. Error: `host_key_not_trusted`. */
  forget(name: string): Result<null> {
    const stored = this.stored(name)
    if (stored.length === 0)
      return fail('host_key_not_trusted', `No key of ${name} is kept here. Nothing was changed.`, undefined, {
        host: name
      })
    this.store.transact((tx) => {
      this.remove(name)
      for (const { type, fingerprint } of stored) this.record(tx, 'forgotten', name, { type, fingerprint })
    })
    return ok(null)
  }

  /** Keeps a key as trusted, in place of one of the same type. `was`: the fingerprint that is trusted no more. */
  keep(name: string, key: Buffer, source: KeySource, was: string | null = null): void {
    const [type, fingerprint] = [keyTypeOf(key), fingerprintOf(key)]
    this.store.transact((tx) => {
      this.store.db
        .prepare(
          `INSERT INTO host_keys (host, type, key, fingerprint, source, first_seen) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (host, type) DO UPDATE SET key = excluded.key, fingerprint = excluded.fingerprint,
             source = excluded.source, first_seen = excluded.first_seen`
        )
        .run(name, type, key.toString('base64'), fingerprint, source, this.store.clock.now())
      this.record(tx, decisions[source], name, { type, fingerprint, ...(was !== null && { was }) })
    })
  }

  stored(name: string): StoredKey[] {
    const rows = this.store.db
      .prepare('SELECT type, key, fingerprint FROM host_keys WHERE host = ? ORDER BY first_seen, type')
      .all(name)
    return z.array(rowSchema).parse(rows)
  }

  private remove(name: string): void {
    this.store.db.prepare('DELETE FROM host_keys WHERE host = ?').run(name)
  }

  /** Whom to trust is a decision like any other: it stands in the audit trail and is told. */
  private record(
    tx: Tx,
    decision: HostKeyDecision,
    host: string,
    key: { readonly type: string; readonly fingerprint: string; readonly was?: string }
  ): void {
    this.audit.append(`host_key.${decision}`, host, null, key)
    tx.emit({ type: 'host.key_decided', host, decision, fingerprint: key.fingerprint })
  }
}
