import type { Saying, Verification } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { ActionPlace, ActionWorld, GuestStatus } from './action'
import { readStatus } from './guest-state'
import { nameOf } from './place'

/** Milliseconds between looks: HA-managed guests and slow services reach their state after the command has returned. */
const betweenMs = 750

/** Looks until it is so, or has been looked at often enough. A look that fails ends it. */
export async function eventually(
  { looks }: ActionWorld,
  look: () => Promise<Result<Verification>>
): Promise<Result<Verification>> {
  for (let count = 1; ; count++) {
    const seen = await look()
    if (!seen.ok || seen.value.ok || count >= looks) return seen
    await new Promise((resolve) => setTimeout(resolve, betweenMs))
  }
}

/** The guest reaches the status. */
export const statusIs = (
  world: ActionWorld,
  place: ActionPlace,
  wanted: GuestStatus
): Promise<Result<Verification>> =>
  eventually(world, async () => {
    const status = await readStatus(world, place)
    return status.ok
      ? proof(status.value === wanted, `${nameOf(place)} is ${status.value}.`, 'guest_is', {
          status: status.value
        })
      : status
  })

/** What was read back: in words, and which sentence that is, of what. */
export const proof = (
  isSo: boolean,
  summary: string,
  sentence: ProofId,
  facts: Saying['facts'] = {}
): Result<Verification> => ok({ ok: isSo, summary, said: { id: `proof.${sentence}`, facts } })

export const proofIds = [
  'guest_is',
  'guest_made',
  'guest_there',
  'guest_absent',
  'packages',
  'updates',
  'snapshot',
  'same_file',
  'file_there',
  'disk_is',
  'settings',
  'unit_is',
  'volume'
] as const
type ProofId = (typeof proofIds)[number]
