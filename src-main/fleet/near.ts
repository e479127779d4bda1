/** Edits (insert, delete, replace, swap of two neighbours) that turn one word into the other, case aside. */
export function distance(a: string, b: string): number {
  const left = a.toLowerCase()
  const right = b.toLowerCase()
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, i) => i)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      let edits = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      next.push(edits)
    }
    before = row
    row = next
  }
  return row[right.length] ?? 0
}

/** At most `limit` names that `wanted` was probably meant to be, the nearest first. */
export function nearNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const word = wanted.slice(0, 200).toLowerCase()
  const allowed = Math.max(1, Math.floor(word.length / 3))
  return [...new Set(names)]
    .map((name) => {
      const contained =
        word.length >= 3 && (name.toLowerCase().includes(word) || word.includes(name.toLowerCase()))
      return { name, edits: contained && name.length >= 3 ? 1 : distance(word, name.slice(0, 200)) }
    })
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}
