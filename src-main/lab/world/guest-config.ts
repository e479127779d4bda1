import type { Guest } from './types'

/** `key: value` lines as `pct config` prints them, or the whole file as it lies in /etc/pve. */
export function configText(guest: Guest, wholeFile = false): string {
  const lines = lineList(guest.config)
  if (!wholeFile) return lines
  const lock = guest.lock ? `lock: ${guest.lock}\n` : ''
  const snapshots = guest.snapshots.map(
    (s) => `\n[${s.name}]\n${lineList({ ...s.config, snaptime: String(Math.floor(s.at / 1000)) })}`
  )
  return lock + lines + snapshots.join('')
}

const lineList = (config: Readonly<Record<string, string>>): string =>
  Object.entries(config)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')

const numeric = new Set([
  'cores',
  'memory',
  'swap',
  'onboot',
  'protection',
  'template',
  'unprivileged',
  'cpulimit',
  'cpuunits'
])

/** The configuration as the API gives it: numbers as numbers, with a digest. */
export function configJson(guest: Guest): Record<string, string | number> {
  const entries = Object.entries(guest.config).map(([key, value]): [string, string | number] => [
    key,
    numeric.has(key) ? Number(value) : key === 'description' ? decodeURIComponent(value) : value
  ])
  return {
    ...Object.fromEntries(entries),
    ...(guest.lock && { lock: guest.lock }),
    digest: digestOf(guest)
  }
}

function digestOf(guest: Guest): string {
  let hash = 0x811c9dc5
  for (const char of configText(guest)) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0').repeat(5)
}
