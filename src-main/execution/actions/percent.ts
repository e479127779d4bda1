/** The per cent that a line tells, as wget and apt print it. */
export function percentIn(line: string): number | null {
  const found = /(?:^|[\s[(])(\d{1,3})(?:\.\d+)?%/.exec(line)
  const percent = Number(found?.[1] ?? NaN)
  return percent >= 0 && percent <= 100 ? percent : null
}
