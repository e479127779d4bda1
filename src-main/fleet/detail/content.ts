import { z } from 'zod'
import type { StoredVolume } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet } from '../port'
import { rows, storagePath } from './paths'

/** `/nodes/N/storage/S/content`. */
const entry = z.object({
  volid: z.string().min(1),
  content: z.string().catch(''),
  size: z.coerce.number().catch(0),
  vmid: z.coerce.number().int().positive().nullable().catch(null),
  ctime: z.coerce.number().nullable().catch(null)
})

/** What lies on a storage of a node; with `only`, one kind such as `vztmpl`. */
export async function listContent(
  fleet: Fleet,
  place: { readonly host: string; readonly node: string; readonly storage: string },
  only?: string
): Promise<Result<StoredVolume[]>> {
  const args = only === undefined ? [] : ['--content', only]
  const path = `${storagePath(place.node, place.storage)}/content`
  const answer = await fleet.pvesh(place.host, path, args)
  if (!answer.ok) return answer
  return ok(
    rows(entry, answer.value).map(({ ctime, ...volume }) => ({
      ...volume,
      madeAt: ctime === null ? null : ctime * 1000
    }))
  )
}
