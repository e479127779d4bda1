import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for one test; call it inside of a test or a hook that runs for each. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-lab-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
