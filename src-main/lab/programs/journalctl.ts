import type { JournalEntry } from '../world/types'
import { type Call, type Programs } from '../shell/program'
import { options } from './options'
import { fullName } from './units'

const names: Readonly<Record<string, number>> = {
  emerg: 0,
  alert: 1,
  crit: 2,
  err: 3,
  error: 3,
  warning: 4,
  notice: 5,
  info: 6,
  debug: 7
}

const ages: Readonly<Record<string, number>> = {
  s: 1e3,
  sec: 1e3,
  second: 1e3,
  m: 6e4,
  min: 6e4,
  minute: 6e4,
  h: 36e5,
  hour: 36e5,
  d: 864e5,
  day: 864e5,
  week: 6048e5
}

/** A point in time as `--since` takes it: `1 hour ago`, `-2h`, `today`, `yesterday`, `2026-01-02 10:00`, `@seconds`. */
function pointInTime(text: string, now: number): number | null {
  const today = now - (now % 864e5)
  if (text === 'today') return today
  if (text === 'yesterday') return today - 864e5
  if (text === 'now') return now
  if (text.startsWith('@')) return Number(text.slice(1)) * 1000
  const relative = /^-?\s*(\d+)\s*([a-z]+?)s?(?:\s+ago)?$/.exec(text)
  if (relative) return now - Number(relative[1]) * (ages[relative[2] ?? ''] ?? 1000)
  const date = Date.parse(`${text.trim().replace(' ', 'T')}${/\d\d:\d\d/.test(text) ? '' : 'T00:00:00'}Z`)
  return Number.isNaN(date) ? null : date
}

const month = (at: number) =>
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][
    new Date(at).getUTCMonth()
  ] ?? ''

function lineOf(entry: JournalEntry, hostname: string, format: string): string {
  const iso = new Date(entry.at).toISOString()
  if (format === 'cat') return entry.message
  if (format.startsWith('json')) {
    return JSON.stringify({
      __REALTIME_TIMESTAMP: String(entry.at * 1000),
      _HOSTNAME: hostname,
      _SYSTEMD_UNIT: entry.unit,
      SYSLOG_IDENTIFIER: entry.ident,
      _PID: String(entry.pid),
      PRIORITY: String(entry.priority),
      MESSAGE: entry.message
    })
  }
  const tag = entry.ident === 'kernel' ? 'kernel' : `${entry.ident}[${entry.pid}]`
  if (format.startsWith('short-iso')) return `${iso.slice(0, 19)}+00:00 ${hostname} ${tag}: ${entry.message}`
  const day = String(new Date(entry.at).getUTCDate()).padStart(2, '0')
  return `${month(entry.at)} ${day} ${iso.slice(11, 19)} ${hostname} ${tag}: ${entry.message}`
}

function journalctl(call: Call): number {
  const opts = options(call.args, [
    'u',
    'unit',
    'n',
    'lines',
    'o',
    'output',
    'p',
    'priority',
    'S',
    'since',
    'U',
    'until',
    'g',
    'grep',
    't',
    'identifier',
    'b-'
  ])
  const units = opts.value('u', 'unit')?.split(',').map(fullName)
  const priority = names[opts.value('p', 'priority') ?? ''] ?? Number(opts.value('p', 'priority') ?? 7)
  const now = call.now()
  const since = pointInTime(opts.value('S', 'since') ?? '@0', now) ?? 0
  const until = pointInTime(opts.value('U', 'until') ?? 'now', now) ?? now
  const pattern = opts.value('g', 'grep')
  call.wait(350)
  const entries = call.machine.journal
    .filter((entry) => units === undefined || units.includes(entry.unit))
    .filter((entry) => entry.priority <= priority && entry.at >= since && entry.at <= until)
    .filter((entry) => !opts.has('k', 'dmesg') || entry.ident === 'kernel')
    .filter(
      (entry) => opts.value('t', 'identifier') === undefined || entry.ident === opts.value('t', 'identifier')
    )
    .filter((entry) => pattern === undefined || new RegExp(pattern, 'i').test(entry.message))
    .sort((a, b) => a.at - b.at)
  const count = Number(opts.value('n', 'lines') ?? entries.length)
  const shown = Number.isFinite(count) ? entries.slice(Math.max(0, entries.length - count)) : entries
  if (opts.has('r', 'reverse')) shown.reverse()
  if (shown.length === 0 && !opts.has('q', 'quiet')) call.out('-- No entries --\n')
  for (const entry of shown)
    call.out(`${lineOf(entry, call.machine.hostname, opts.value('o', 'output') ?? 'short')}\n`)
  return 0
}

export const journalPrograms: Programs = { journalctl: { run: journalctl } }
