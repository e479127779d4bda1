import type { SnapshotView } from '@contract'

export interface TreeEntry extends SnapshotView {
  /** How many branchings lie before it: a plain sequence stays at 0. */
  readonly depth: number
}

/**
 * Snapshots in the order of their tree, each after its parent. Only where more than one follows the same parent does it
 * go deeper: a row of snapshots one after the other is a list.
 */
export function asTree(snapshots: readonly SnapshotView[]): TreeEntry[] {
  const names = new Set(snapshots.map(({ name }) => name))
  const childrenOf = new Map<string | null, SnapshotView[]>()
  for (const snapshot of snapshots) {
    const parent = snapshot.parent !== null && names.has(snapshot.parent) ? snapshot.parent : null
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), snapshot])
  }
  const entries: TreeEntry[] = []
  const seen = new Set<string>()
  const add = (parent: string | null, depth: number): void => {
    const children = childrenOf.get(parent) ?? []
    const deeper = parent !== null && children.length > 1 ? depth + 1 : depth
    for (const child of children) {
      if (seen.has(child.name)) continue
      seen.add(child.name)
      entries.push({ ...child, depth: deeper })
      add(child.name, deeper)
    }
  }
  add(null, 0)
  // Snapshots that name each other as parents belong to no root; they are shown all the same.
  for (const snapshot of snapshots) if (!seen.has(snapshot.name)) entries.push({ ...snapshot, depth: 0 })
  return entries
}
