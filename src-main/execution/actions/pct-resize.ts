import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { look, readConfig } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'

const params = z.strictObject({
  disk: z
    .string()
    .regex(/^(rootfs|mp\d{1,3})$/, 'rootfs or mp0 to mp255')
    .default('rootfs'),
  addGiB: field.count(1, 65_536).describe('GiB to add. Disks only grow.')
})
type Params = z.output<typeof params>

interface Facts {
  /** MiB before. */
  readonly sizeMiB: number | null
}

/** Makes a disk of a container larger. */
export const pctResize: Action<Params, Facts> = {
  name: 'pct_resize',
  title: 'Enlarge a disk',
  description: 'Makes a disk of a container larger. Cannot be undone: disks never shrink.',
  targets: ['lxc'],
  params,
  baseRisk: 'destructive',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    const disk = guest.value.config.get(wished.disk)
    if (place.value.resolved !== null && disk === undefined)
      return fail(
        'disk_not_found',
        `${nameOf(place.value)} has no ${wished.disk}.`,
        'Look at its configuration with get_lxc_state.',
        { guest: nameOf(place.value), disk: wished.disk }
      )
    return ok({ place: place.value, params: wished, facts: { sizeMiB: sizeMiB(disk ?? '') } })
  },

  risk: () => 'destructive',
  sentence: ({ place, params: p }) => `Add ${p.addGiB} GiB to ${p.disk} of container ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    { step: 'resize', argv: ['pct', 'resize', vmidOf(place), p.disk, `+${p.addGiB}G`] }
  ],
  undo: () => 'Cannot be undone: disks never shrink.',

  /** `pct resize` returns 0 even when it failed (pve-container `PVE/CLI/pct.pm`). */
  async verify(world, { place, params: p, facts }) {
    const config = await readConfig(world, place)
    if (!config.ok) return config
    const now = sizeMiB(config.value.get(p.disk) ?? '')
    const told = now === null ? 'of unknown size' : `${(now / 1024).toFixed(1)} GiB`
    const isLarger = now !== null && (facts.sizeMiB === null || now >= facts.sizeMiB + p.addGiB * 1024)
    return proof(isLarger, `${p.disk} is ${told}.`, 'disk_is', { gib: now === null ? null : now / 1024 })
  }
}

const units: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 }

/** Size in a volume's options: `local-lvm:vm-101-disk-0,size=8G`. */
function sizeMiB(volume: string): number | null {
  const found = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT])\b/.exec(volume)
  return found ? Number(found[1]) * (units[found[2] ?? ''] ?? 1) : null
}
