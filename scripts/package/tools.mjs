const patience = 5_000

/** The tools for AppImage and rpm come from releases on GitHub. */
export async function canFetchTools() {
  try {
    await fetch('https://github.com', { method: 'HEAD', signal: AbortSignal.timeout(patience) })
    return true
  } catch {
    return false
  }
}
