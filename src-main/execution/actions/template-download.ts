import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { percentIn } from './percent'
import { findPlace } from './place'
import { proof } from './proof'
import { listAvailable, listTemplates, templateStorages } from './storages'

const params = z.strictObject({
  template: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,150}$/, 'the file name of a template, as list_templates shows it')
    .describe('File name, such as debian-12-standard_12.7-1_amd64.tar.zst.'),
  storage: field.identifier
    .optional()
    .describe('Default: the storage for templates with the most free space.')
})
type Params = z.output<typeof params>

/** Downloads a template for containers. */
export const templateDownload: Action<Params, null> = {
  name: 'template_download',
  title: 'Download a template',
  description:
    'Downloads a container template to a storage of a host. pct_create does this by itself when it needs one.',
  targets: ['host'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 1800,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findPlace(world, target)
    if (!place.ok) return place
    await world.fleet.fresh()
    const { host, node } = place.value
    const storages = templateStorages(world, node)
    const storage =
      wished.storage === undefined ? storages[0] : storages.find((each) => each === wished.storage)
    if (storage === undefined)
      return fail(
        'storage_unusable',
        wished.storage === undefined
          ? `No storage on ${node} holds templates.`
          : `The storage ${wished.storage} on ${node} holds no templates.`,
        storages.length > 0
          ? `Storages for templates: ${storages.join(', ')}.`
          : 'Allow the content vztmpl on one of them.',
        { node, storage: wished.storage, storages }
      )
    const available = await listAvailable(world, host)
    if (!available.ok) return available
    if (!available.value.includes(wished.template)) {
      const near = available.value.filter((name) => name.startsWith(wished.template.slice(0, 6)))
      return fail(
        'template_not_found',
        `No template ${wished.template} is offered for download.`,
        near.length > 0
          ? `Offered: ${near.slice(0, 8).join(', ')}.`
          : 'Run pveam update on the host, then look again.',
        { template: wished.template, templates: near.slice(0, 8) }
      )
    }
    return ok({ place: place.value, params: { ...wished, storage }, facts: null })
  },

  risk: () => 'config_mutation',
  sentence: ({ place, params: p }) =>
    `Download template ${p.template} to ${p.storage ?? ''} on ${place.host}`,
  commands: ({ params: p }) => [
    { step: 'download', argv: ['pveam', 'download', p.storage ?? '', p.template] }
  ],
  undo: ({ params: p }) => `pveam remove ${p.storage ?? ''}:vztmpl/${p.template} removes it again.`,
  progress: percentIn,

  /** `pveam download` returns 0 even when it failed (pve-manager `PVE/CLI/pveam.pm`). */
  async verify(world, { place, params: p }) {
    const there = await listTemplates(world, place.host, p.storage ?? '')
    if (!there.ok) return there
    const volume = `${p.storage ?? ''}:vztmpl/${p.template}`
    const isThere = there.value.includes(volume)
    return proof(isThere, `${volume} is ${isThere ? 'there' : 'not there'}.`, 'volume', {
      volume,
      there: isThere
    })
  }
}
