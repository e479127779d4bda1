import { t } from './text'

const pad = (n: number) => String(n).padStart(2, '0')

/** `1.4`, or `1,4` where a comma is written. */
const decimal = (value: number, digits: number): string => value.toFixed(digits).replace('.', t.numbers.point)

/** `0:14`, `12:05`, `1:02:33`. */
export function elapsed(milliseconds: number): string {
  const total = Math.max(0, Math.floor(milliseconds / 1000))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor(total / 60) % 60
  const seconds = total % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`
}

/** Time left, never shorter than `00:00`: `29:58`. */
export function remaining(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${pad(Math.floor(total / 60))}:${pad(total % 60)}`
}

/** `84 ms`, `2.4 s`, `1:12`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  if (milliseconds < 60_000) return `${decimal(milliseconds / 1000, 1)} s`
  return elapsed(milliseconds)
}

/** `3 d 4 h`, `2 h 10 min`, `5 min`. */
export function uptime(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return `${minutes} min`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** `512 MiB`, `1.5 GiB`. */
export function bytes(count: number): string {
  let value = count
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : 1
  return `${decimal(value, digits)} ${units[unit] ?? ''}`
}

const trimmed = (value: number): string => decimal(value, value < 10 && value % 1 >= 0.05 ? 1 : 0)

/** `950`, `1.2 k`, `41 k`, `1.5 M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count)
  return count < 999_500 ? `${trimmed(count / 1000)} k` : `${trimmed(count / 1_000_000)} M`
}

/** `$0.0042`, `$1.30`: two digits that say something. */
export const dollars = (amount: number): string => `$${decimal(amount, amount > 0 && amount < 0.1 ? 4 : 2)}`

export const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`

export const clockTime = (at: number): string => {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** `2026-01-31 14:03:22`, in the operator's zone. */
export const stamp = (at: number): string => {
  const date = new Date(at)
  const day = t.numbers.date(String(date.getFullYear()), pad(date.getMonth() + 1), pad(date.getDate()))
  return `${day} ${clockTime(at)}:${pad(date.getSeconds())}`
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

export type Day =
  | { readonly kind: 'today' }
  | { readonly kind: 'yesterday' }
  | { readonly kind: 'date'; readonly text: string }

export function dayOf(at: number, now: number): Day {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days <= 0) return { kind: 'today' }
  if (days === 1) return { kind: 'yesterday' }
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  const text = date.toLocaleDateString(t.numbers.locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' })
  })
  return { kind: 'date', text }
}
