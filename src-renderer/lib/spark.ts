/** A line through values, and the area under it, in a box of `width` by `height`; nulls leave gaps. */
export function sparkPaths(
  values: readonly (number | null)[],
  most: number,
  width: number,
  height: number
): { readonly line: string; readonly area: string } {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const round = (value: number) => Math.round(value * 100) / 100
  const line: string[] = []
  const area: string[] = []
  let run: [number, number][] = []
  const close = () => {
    const [first, last] = [run[0], run.at(-1)]
    if (first && last) {
      // A single measurement between gaps is drawn as a dot.
      const drawn = run.length > 1 ? run : [first, [round(first[0] + 0.01), first[1]] as const]
      const points = drawn.map(([x, y]) => `${x} ${y}`).join('L')
      line.push(`M${points}`)
      if (run.length > 1) area.push(`M${first[0]} ${height}L${points}L${last[0]} ${height}Z`)
    }
    run = []
  }
  for (const [index, value] of values.entries()) {
    if (value === null) close()
    else {
      const share = most > 0 ? Math.max(0, Math.min(1, value / most)) : 0
      run.push([round(index * step), round(height - share * height)])
    }
  }
  close()
  return { line: line.join(''), area: area.join('') }
}

/** Latest, lowest and highest of the values that are there; null when there is none. */
export function rangeOf(
  values: readonly (number | null)[]
): { readonly now: number; readonly low: number; readonly high: number } | null {
  const there = values.filter((value) => value !== null)
  const now = there.at(-1)
  return now === undefined ? null : { now, low: Math.min(...there), high: Math.max(...there) }
}
