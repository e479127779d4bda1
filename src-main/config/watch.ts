import { unwatchFile, watchFile, type StatsListener } from 'node:fs'

/** How often the file is looked at, in milliseconds: soon enough for a person, and one question to the disk. */
const interval = 1000

/**
 * Calls back when the file was written, replaced, made or removed, until the returned function is called. It is asked
 * for by its path, so that editors that replace a file, links and network folders make no difference.
 */
export function watchPath(path: string, onChange: () => void, every = interval): () => void {
  const look: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) onChange()
  }
  watchFile(path, { interval: every, persistent: false }, look)
  return () => unwatchFile(path, look)
}
