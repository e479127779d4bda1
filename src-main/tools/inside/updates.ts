import { z } from 'zod'
import type { UpdateView } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import { nameOf, type Inside } from '../../fleet/inside/run-inside'
import { listUpdates } from '../../fleet/detail/updates'
import type { ResolvedTarget } from '../../fleet/port'
import { defineTool } from '../define'
import { blindSpots, blindText, bareName } from '../fleet/known'
import { count } from '../format'
import { refused, told } from '../outcome'
import { blindSchema } from '../schemas'
import { fitting } from '../text'
import type { Tool } from '../tool'
import { bulkHint, type TurnCounts } from '../turn-counts'
import { insideTarget } from './services'

/** Guests asked at the same time. */
const atOnce = 6

/** The tool that finds waiting updates. */
export const updateTools = (inside: Inside, counts: TurnCounts): Tool[] => [
  defineTool({
    name: 'list_updates',
    title: 'List waiting updates',
    group: 'inside',
    description:
      'Packages that apt would upgrade, as of the package lists that are there. Without a target: every running ' +
      'container of every host in one call; stopped ones cannot be asked. It does not fetch new package lists; to upgrade request the action ' +
      'apt_upgrade.',
    input: z.strictObject({
      target: insideTarget.optional().describe('One host or guest; all running containers when left out.')
    }),
    output: z.object({
      targets: z.array(
        z.object({
          target: z.string(),
          name: z.string(),
          updates: z.array(
            z.object({ name: z.string(), from: z.string(), to: z.string(), security: z.boolean() })
          ),
          error: z.string().nullable()
        })
      ),
      unreachable: blindSchema
    }),
    readOnly: true,
    timeoutMs: 180_000,
    sentence: ({ target }) => ({
      sentence: target
        ? `Listing updates of ${bareName(target)}`
        : 'Listing updates of all running containers',
      object: target ? bareName(target) : 'updates'
    }),
    async run({ target }, context) {
      const { signal } = context
      const hint = target === undefined ? '' : bulkHint(counts, context, 'list_updates')
      const chosen = await targetsOf(inside, target)
      if (!chosen.ok) return refused(chosen.error)
      const targets = await inTurns(chosen.value, async (each) => {
        const found = await listUpdates(inside, each, { signal })
        return {
          target: each.kind === 'host' ? `host:${each.host}` : `${each.kind}:${each.guest.vmid}@${each.node}`,
          name: nameOf(each),
          updates: found.ok ? [...found.value] : [],
          error: found.ok ? null : `${found.error.code}: ${found.error.message}`
        }
      })
      const [only] = targets
      if (target !== undefined && only?.error) return refused({ code: 'read_failed', message: only.error })
      const waiting = targets.filter((each) => each.updates.length > 0).length
      const list = (names: number) =>
        targets
          .map((each) => `${each.name} (${each.target}): ${each.error ?? updatesText(each.updates, names)}`)
          .join('\n')
      const head =
        targets.length === 0 ? 'No container is running.' : `${waiting} of ${targets.length} have updates`
      const text = fitting(
        () => list(12),
        () => list(3),
        () => list(0)
      )
      return told(`${head}\n${text}` + (target === undefined ? blindText(inside.fleet) : hint), {
        targets,
        unreachable: blindSpots(inside.fleet)
      })
    }
  })
]

/** `2 updates, 1 of them for security: openssl 3.0 → 3.1 (security), …` with at most so many named. */
function updatesText(updates: readonly UpdateView[], names: number): string {
  if (updates.length === 0) return 'up to date'
  const security = updates.filter((update) => update.security).length
  const named = [...updates]
    .sort((a, b) => Number(b.security) - Number(a.security))
    .slice(0, names)
    .map((update) => `${update.name} ${update.from} → ${update.to}${update.security ? ' (security)' : ''}`)
  const rest = names > 0 && updates.length > names ? ', …' : ''
  return `${count(updates.length, 'update')}${security > 0 ? `, ${security} of them for security` : ''}${
    named.length > 0 ? `: ${named.join(', ')}${rest}` : ''
  }`
}

async function targetsOf(
  { fleet }: Inside,
  target: string | undefined
): Promise<Result<readonly ResolvedTarget[]>> {
  if (target !== undefined) {
    const found = await fleet.resolve(target)
    return found.ok ? ok([found.value]) : found
  }
  await fleet.fresh()
  const away = new Set(blindSpots(fleet).map((each) => each.host))
  return ok(
    fleet.guests().flatMap((guest): ResolvedTarget[] => {
      if (guest.kind !== 'lxc' || guest.status !== 'running' || guest.host === null || away.has(guest.host))
        return []
      return [{ kind: 'lxc', host: guest.host, node: guest.node, cluster: guest.cluster, guest }]
    })
  )
}

/** Runs `work` on each, a few at the same time, and keeps the order. */
async function inTurns<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results = new Map<number, R>()
  let next = 0
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) {
      const each = all[index]
      if (each !== undefined) results.set(index, await work(each))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker))
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
}
