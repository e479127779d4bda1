import type { AppError } from '../base/result'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** `1610612736` → `1.5 GiB`. */
export function bytes(count: number): string {
  let value = count
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit] ?? 'B'}`
}

/** `used of total (37%)`; the total alone matters less than how full it is. */
export const usage = (used: number, total: number): string =>
  total > 0 ? `${bytes(used)} of ${bytes(total)} (${Math.round((used / total) * 100)}%)` : bytes(used)

/** Seconds → `3d 4h`, `12m`, `40s`. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds)
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60
  ]
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m` : `${whole}s`
}

/** UTC milliseconds → `2026-01-31 12:00:05Z`. */
export const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`

/** "1 container", "3 containers". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** Lines of aligned columns, the first row being the head; nothing for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0))
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}

/** An error as the model reads it: code, what happened, what to do. */
export const errorText = (error: AppError): string =>
  [`Error ${error.code}: ${error.message}`, error.hint && `What to do: ${error.hint}`]
    .filter(Boolean)
    .join('\n')
