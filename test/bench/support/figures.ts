/** The value that `share` of the values (0 to 1) do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const most = (values: readonly number[]): number => percentile(values, 1)

/** With one digit where that says something. */
const digits = (value: number): string => value.toFixed(Math.abs(value) < 20 ? 1 : 0)

export const ms = (value: number): string => `${digits(value)} ms`
export const mb = (bytes: number): string => `${digits(bytes / 1e6)} MB`
export const kb = (bytes: number): string => `${digits(bytes / 1e3)} KB`
export const times = (ratio: number): string => `${ratio.toFixed(2)}×`

/** Median, 95th percentile and greatest value of times in milliseconds. */
export const spread = (values: readonly number[]): string =>
  `median ${ms(median(values))}, 95% ${ms(percentile(values, 0.95))}, most ${ms(most(values))}, n ${values.length}`

/** One figure, one line. */
export function figure(name: string, text: string, goal?: string): void {
  process.stdout.write(`${name}: ${text}${goal === undefined ? '' : ` (goal ${goal})`}\n`)
}
