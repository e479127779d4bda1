import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action, ActionPlace } from './action'
import * as field from './fields'
import { look, readConfig } from './guest-state'
import { freeVmid } from './new-guest'
import { percentIn } from './percent'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'
import { needSnapshot } from './snapshots'

const params = z.strictObject({
  name: field.hostname.describe('Hostname of the clone.'),
  newVmid: field.vmid.optional().describe('Default: the next free one.'),
  snapshot: field.snapshotName
    .optional()
    .describe('Clone this snapshot; needed for a full clone of a running container.'),
  full: z.boolean().default(true).describe('A full copy; false makes a linked clone, of a template only.'),
  storage: field.identifier.optional().describe('For a full copy.')
})
type Params = z.output<typeof params>

interface Facts {
  readonly newVmid: number
}

/** Makes a copy of a container. */
export const pctClone: Action<Params, Facts> = {
  name: 'pct_clone',
  title: 'Clone a container',
  description: 'Copies a container to a new one, which is left stopped. Target: the container to copy.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 3600,
  serialise: 'cluster',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    const { cluster, host } = place.value
    if (guest.value.status === 'running' && wished.full && wished.snapshot === undefined)
      return fail(
        'guest_running',
        `${nameOf(place.value)} is running: a full clone needs it stopped, or one of its snapshots.`,
        'Request pct_shutdown first, or take a snapshot and give its name.',
        { guest: nameOf(place.value), for: 'clone' }
      )
    if (wished.snapshot !== undefined) {
      const there = await needSnapshot(world, place.value, wished.snapshot)
      if (!there.ok) return there
    }
    if (!wished.full && wished.storage !== undefined)
      return fail(
        'params_invalid',
        'A linked clone stays on the storage of its template.',
        'Leave storage out, or make a full clone.',
        { case: 'linked_storage' }
      )
    const other = world.fleet.guests().find((each) => each.cluster === cluster && each.name === wished.name)
    if (other)
      return fail(
        'name_taken',
        `There is already a guest named ${wished.name}: ${other.vmid}.`,
        'Take another name.',
        { name: wished.name, vmid: other.vmid }
      )
    const vmid = await freeVmid(world, host, cluster, wished.newVmid)
    if (!vmid.ok) return vmid
    return ok({
      place: place.value,
      params: { ...wished, newVmid: vmid.value },
      facts: { newVmid: vmid.value }
    })
  },

  risk: () => 'config_mutation',
  sentence: ({ place, params: p, facts }) =>
    `Clone container ${nameOf(place)} to ${p.name} (${facts.newVmid})`,
  commands: ({ place, params: p, facts }) => [
    {
      step: 'clone',
      argv: [
        'pct',
        'clone',
        vmidOf(place),
        String(facts.newVmid),
        '--hostname',
        p.name,
        ...(p.full ? ['--full', '1'] : []),
        ...(p.snapshot === undefined ? [] : ['--snapname', p.snapshot]),
        ...(p.storage === undefined ? [] : ['--storage', p.storage])
      ]
    }
  ],
  undo: ({ facts }) => `pct_destroy lxc:${facts.newVmid} removes the clone again.`,
  creates: ({ place, params: p, facts }) => ({
    kind: 'lxc',
    name: p.name,
    vmid: facts.newVmid,
    node: place.node,
    host: place.host,
    cluster: place.cluster,
    status: 'stopped',
    resolved: null
  }),
  progress: percentIn,

  async verify(world, { place, params: p, facts }) {
    const clone: ActionPlace = { ...place, vmid: facts.newVmid, guestName: p.name, resolved: null }
    const config = await readConfig(world, clone)
    if (!config.ok)
      return config.error.code === 'guest_gone'
        ? proof(false, `${nameOf(clone)} does not exist.`, 'guest_there', { name: p.name, there: false })
        : config
    const isNamed = config.value.get('hostname') === p.name
    return proof(isNamed, `${nameOf(clone)} exists.`, 'guest_there', { name: p.name, there: true })
  }
}
