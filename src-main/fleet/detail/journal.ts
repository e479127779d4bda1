import { ok, type Result } from '../../base/result'
import type { ResolvedTarget } from '../port'
import type { Inside, InsideOptions } from '../inside/run-inside'
import { readInside, unit } from './services'

/** The last lines of the journal of a host or a running guest, of one unit if it is named. Errors: as `readInside`. */
export async function readJournal(
  inside: Inside,
  target: ResolvedTarget,
  { service, lines }: { readonly service?: string | undefined; readonly lines: number },
  options: InsideOptions = {}
): Promise<Result<string[]>> {
  const argv = ['journalctl', '--no-pager', '-o', 'short-iso', '-n', String(lines)]
  if (service !== undefined) argv.push('-u', unit(service))
  const read = await readInside(inside, target, argv, options)
  if (!read.ok) return read
  return ok(read.value.split('\n').filter((line) => line !== '' && line !== '-- No entries --'))
}
