import { z } from 'zod'
import type { HostConfig, HostKeyOffer } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Store } from '../store/store'
import { keyChanged } from './errors'
import { fingerprintOf, keyTypeOf } from './fingerprint'

export type KeySource = 'first_use' | 'pin' | 'known_hosts' | 'replaced'

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

  constructor(private readonly store: Store) {}

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
        'Test the host again and compare the key that it shows now.'
      )
    if (seen.pinned)
      return fail(
        'host_key_pinned',
        `The configuration pins another key for ${name}: ${seen.offer.expected ?? ''}. Nothing was trusted.`,
        'Change or remove "hostKey" of the host in the configuration.'
      )
    if (seen.offer.expected !== null && !replaceChanged) return keyChanged(seen.offer)
    this.store.transact(() => {
      if (seen.offer.expected !== null) this.forget(name)
      this.keep(name, seen.key, seen.offer.expected === null ? 'first_use' : 'replaced')
    })
    this.seen.delete(name)
    return ok(null)
  }

  /** Keeps a key as trusted, in place of one of the same type. */
  keep(name: string, key: Buffer, source: KeySource): void {
    this.store.transact(() =>
      this.store.db
        .prepare(
          `INSERT INTO host_keys (host, type, key, fingerprint, source, first_seen) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (host, type) DO UPDATE SET key = excluded.key, fingerprint = excluded.fingerprint,
             source = excluded.source, first_seen = excluded.first_seen`
        )
        .run(name, keyTypeOf(key), key.toString('base64'), fingerprintOf(key), source, this.store.clock.now())
    )
  }

  stored(name: string): StoredKey[] {
    const rows = this.store.db
      .prepare('SELECT type, key, fingerprint FROM host_keys WHERE host = ? ORDER BY first_seen, type')
      .all(name)
    return z.array(rowSchema).parse(rows)
  }

  private forget(name: string): void {
    this.store.db.prepare('DELETE FROM host_keys WHERE host = ?').run(name)
  }
}
