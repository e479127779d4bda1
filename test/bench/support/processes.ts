import { readdirSync, readFileSync } from 'node:fs'

/** The process and everything that descends from it. */
function familyOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? contentOf(`/proc/${name}/stat`) : ''
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const family = [pid]
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  return family
}

/** Memory of a process and its descendants in bytes; what several share counts for each in part (PSS). */
export function memoryOf(pid: number): number {
  const kibibytes = familyOf(pid).map((member) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(contentOf(`/proc/${member}/smaps_rollup`))?.[1] ?? 0)
  )
  return kibibytes.reduce((sum, value) => sum + value, 0) * 1024
}

/** Empty when the process has ended meanwhile. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
