const cell = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The box that pvesh draws when no format was asked for. */
export function drawn(data: unknown): string {
  if (!isRecord(data)) return `${cell(data)}\n`
  const rows = Array.isArray(data)
    ? data.filter(isRecord)
    : Object.entries(data).map(([key, value]) => ({ key, value }))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return ''
  const lines = [
    columns,
    ...rows.map((row) =>
      columns.map((column) => cell(Object.entries(row).find(([key]) => key === column)?.[1]))
    )
  ]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)))
  const rule = (left: string, mid: string, right: string) =>
    `${left}${widths.map((w) => '─'.repeat(w + 2)).join(mid)}${right}\n`
  const [head = [], ...body] = lines.map(
    (line) => `│${line.map((text, i) => ` ${text.padEnd(widths[i] ?? 0)} `).join('│')}│\n`
  )
  return (
    rule('┌', '┬', '┐') +
    String(head) +
    rule('╞', '╪', '╡') +
    body.join(rule('├', '┼', '┤')) +
    rule('└', '┴', '┘')
  )
}
