import { watch, type FSWatcher } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from '../base/log'
import { messageOf } from '../base/result'

/** A Markdown file as the index wants it. */
export interface MarkdownFile {
  readonly path: string
  readonly title: string
  readonly body: string
  readonly changedAt: number
}

const maxFiles = 20_000
const maxFileBytes = 1024 * 1024
const settleMs = 300

/** Every Markdown file below a folder; links, hidden folders and files over 1 MB are left out. */
export async function readMarkdown(folder: string): Promise<MarkdownFile[]> {
  const files: MarkdownFile[] = []
  const todo = [folder]
  for (let dir = todo.pop(); dir !== undefined && files.length < maxFiles; dir = todo.pop()) {
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue
      if (entry.isDirectory()) todo.push(path)
      else if (/\.(md|markdown)$/i.test(entry.name)) {
        const { size, mtimeMs } = await lstat(path)
        if (size > maxFileBytes) continue
        const body = await readFile(path, 'utf8')
        files.push({ path, title: titleOf(body, path), body, changedAt: Math.round(mtimeMs) })
      }
    }
  }
  return files
}

const titleOf = (body: string, path: string): string =>
  /^#\s+(.+)$/m.exec(body.slice(0, 4096))?.[1]?.trim() ?? basename(path).replace(/\.\w+$/, '')

/** Calls `changed` a moment after anything below the folder changed, until the returned function is called. */
export function watchFolder(folder: string, changed: () => void, log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(changed, settleMs)
    })
    watcher.on('error', (error) =>
      log.log('warn', 'knowledge', 'folder no longer watched', { reason: error.message })
    )
  } catch (error) {
    log.log('warn', 'knowledge', 'folder cannot be watched', { reason: messageOf(error) })
  }
  return () => {
    clearTimeout(timer)
    watcher?.close()
  }
}
