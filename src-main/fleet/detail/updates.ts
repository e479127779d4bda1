import type { UpdateView } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { ResolvedTarget } from '../port'
import { nameOf, runInside, type Inside, type InsideOptions } from '../inside/run-inside'
import { parseUpgradable } from '../inside/upgradable'

/** Packages that apt would upgrade, as of the lists that are there. Errors: as `runInside`, and `read_failed`. */
export async function listUpdates(
  inside: Inside,
  target: ResolvedTarget,
  options: InsideOptions = {}
): Promise<Result<UpdateView[]>> {
  const ran = await runInside(inside, target, ['apt', 'list', '--upgradable'], {
    timeoutMs: 60_000,
    ...options
  })
  if (!ran.ok)
    return ran.error.code === 'command_missing'
      ? {
          ok: false,
          error: { ...ran.error, message: `${nameOf(target)} has no apt: its updates are not known.` }
        }
      : ran
  if (ran.value.code !== 0)
    return fail('read_failed', `apt failed: ${ran.value.stderr.trim().split('\n').at(-1) ?? ''}`, undefined, {
      why: ran.value.stderr.trim().split('\n').at(-1) ?? ''
    })
  return ok(parseUpgradable(ran.value.stdout))
}
