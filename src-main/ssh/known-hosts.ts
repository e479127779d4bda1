import { createHmac } from 'node:crypto'
import type { HostConfig, KnownHostOutcome, KnownHostsReport } from '../../src-preload/contract'
import { hostKeyTypes } from './algorithms'
import { fingerprintOf, keyTypeOf } from './fingerprint'
import type { HostKeys } from './host-keys'

export interface KnownHostsLine {
  readonly marker: 'revoked' | 'cert-authority' | null
  readonly patterns: readonly string[]
  readonly key: Buffer
}

/** Trusts what a known_hosts file trusts, for hosts that have no trusted key yet. */
export function importKnownHosts(
  text: string,
  hosts: readonly HostConfig[],
  keys: HostKeys
): KnownHostsReport {
  const { lines, unreadable } = parseKnownHosts(text)
  return { hosts: hosts.map((host) => importFor(host, lines, keys)), unreadable }
}

function importFor(host: HostConfig, lines: readonly KnownHostsLine[], keys: HostKeys): KnownHostOutcome {
  const about = lines.filter((line) => matches(line, host.address, host.port))
  const plain = about.filter((line) => line.marker === null)
  const usable = plain.filter((line) => hostKeyTypes.includes(keyTypeOf(line.key)))
  const fingerprints = plain.map((line) => fingerprintOf(line.key))
  const is = (outcome: KnownHostOutcome['outcome']) => ({ host: host.name, outcome, fingerprints })

  if (about.length === 0) return is('absent')
  if (about.some((line) => line.marker === 'revoked')) return is('revoked')
  if (host.hostKey !== undefined) return is('pinned')
  if (usable.length === 0) return is(plain.length > 0 ? 'unsupported' : 'authority')
  const stored = keys.stored(host.name)
  if (stored.length > 0)
    return is(stored.some((key) => fingerprints.includes(key.fingerprint)) ? 'same' : 'other_key')
  for (const line of usable) keys.keep(host.name, line.key, 'known_hosts')
  return is('imported')
}

/** Takes a known_hosts file apart. Source of the format: sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". */
export function parseKnownHosts(text: string): { lines: KnownHostsLine[]; unreadable: number[] } {
  const lines: KnownHostsLine[] = []
  const unreadable: number[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    const words = line.trim().split(/\s+/)
    if (words[0] === '' || words[0]?.startsWith('#')) return
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined
    const [names, type, base64] = words
    const key = Buffer.from(base64 ?? '', 'base64')
    if (names === undefined || type === undefined || keyTypeOf(key) !== type || !isMarker(marker))
      return void unreadable.push(index + 1)
    lines.push({ marker: markers[marker ?? ''] ?? null, patterns: names.split(','), key })
  })
  return { lines, unreadable }
}

const markers: Readonly<Record<string, KnownHostsLine['marker']>> = {
  '': null,
  '@revoked': 'revoked',
  '@cert-authority': 'cert-authority'
}
const isMarker = (word: string | undefined): boolean => Object.hasOwn(markers, word ?? '')

/** True when a line is about this address: hashed, or by patterns of which no negated one fits. */
export function matches(line: KnownHostsLine, address: string, port: number): boolean {
  const name = (port === 22 ? address : `[${address}]:${port}`).toLowerCase()
  const fits = (pattern: string) =>
    pattern.startsWith('|1|') ? fitsHash(pattern, name) : fitsPattern(pattern.toLowerCase(), name)
  if (line.patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))) return false
  return line.patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern))
}

function fitsHash(pattern: string, name: string): boolean {
  const [, , salt, hash] = pattern.split('|')
  if (salt === undefined || hash === undefined) return false
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash
}

/** `*` is any run of characters, `?` any one; matched without backtracking over more than the last star. */
function fitsPattern(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0]
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++
      mark = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++mark
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
