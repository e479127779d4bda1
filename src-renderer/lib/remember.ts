/** Small choices of layout that outlive a restart; nothing depends on them. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`nomos.${key}`)
  } catch {
    return null
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`nomos.${key}`, value)
  } catch {
    return
  }
}
