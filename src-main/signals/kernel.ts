/** `6.8.12-4-pve` → [6, 8, 12, 4]; null when it is no kernel release. */
const numbers = (release: string): readonly number[] | null =>
  /^\d+\.\d+/.test(release) ? (release.match(/\d+/g) ?? []).map(Number) : null

/** A kernel of the same flavour among the files of `/boot` (`vmlinuz-…`) that is newer than the running release. */
export function newerKernel(running: string, files: readonly string[]): string | null {
  const now = numbers(running)
  if (now === null) return null
  const flavour = running.replace(/^[\d.-]+/, '')
  let newest: { release: string; version: readonly number[] } = { release: running, version: now }
  for (const file of files) {
    const release = file.startsWith('vmlinuz-') ? file.slice('vmlinuz-'.length) : ''
    const version = numbers(release)
    if (version === null || release.replace(/^[\d.-]+/, '') !== flavour) continue
    if (compare(version, newest.version) > 0) newest = { release, version }
  }
  return newest.release === running ? null : newest.release
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
