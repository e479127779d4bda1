/** Rows of a text table whose columns stand at least two blanks apart; by head in lower case. */
export function rowsIn(text: string): Record<string, string>[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => /^[A-Z][A-Z0-9 ]+( {2,}[A-Z][A-Z0-9 ]*)+$/.test(line.trimEnd()))
  if (head < 0) return []
  const columns = cells(lines[head] ?? '')
  const rows: Record<string, string>[] = []
  for (const line of lines.slice(head + 1)) {
    const values = cells(line)
    if (values.length < Math.min(3, columns.length)) break
    rows.push(Object.fromEntries(columns.map((column, index) => [column.toLowerCase(), values[index] ?? ''])))
  }
  return rows
}

const cells = (line: string): string[] => line.trim().split(/ {2,}/)

/** A Markdown table; pipes in cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (values: readonly string[]) =>
    `| ${values.map((value) => value.replace(/\|/g, '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

const unitBytes: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4
}

/** Bytes in `1.5 GiB of 6 GiB (25%)`: what is in use. */
export function bytesIn(text: string): number {
  const match = /([\d.]+)\s*(B|KiB|MiB|GiB|TiB)\b/.exec(text)
  return match ? Number(match[1]) * (unitBytes[match[2] ?? 'B'] ?? 1) : 0
}

/** The first line that says something, for short quotes. */
export const firstLine = (text: string): string => text.trim().split('\n')[0]?.trim() ?? ''
