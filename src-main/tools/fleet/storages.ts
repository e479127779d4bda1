import { z } from 'zod'
import type { StorageView } from '../../../src-preload/contract'
import { listContent } from '../../fleet/detail/content'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { bytes, count, table } from '../format'
import { refused, told } from '../outcome'
import { blindSchema, nodeInput, storageSchema } from '../schemas'
import type { Tool } from '../tool'
import { blindSpots, blindText, ofNode, storageData, storageTable } from './known'

/** Tools for storages and what lies in them. */
export const storageTools = (fleet: Fleet): Tool[] => [
  defineTool({
    name: 'list_storages',
    title: 'List storages',
    group: 'fleet',
    description:
      'Every storage of every node: type, what it may hold (rootdir: containers, images: VM disks, vztmpl: templates, ' +
      'backup, iso), used and free space. Use it to choose where a container goes: it needs a storage with rootdir.',
    input: z.strictObject({ node: nodeInput }),
    output: z.object({ storages: z.array(storageSchema), unreachable: blindSchema }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ node }) => ({
      sentence: `Listing storages${node ? ` on ${node}` : ''}`,
      object: 'storages'
    }),
    async run({ node }) {
      await fleet.fresh()
      const storages = ofNode(fleet, fleet.storages(), node)
      if (!storages.ok) return refused(storages.error)
      const text =
        storages.value.length === 0
          ? 'No storage is known.'
          : `${count(storages.value.length, 'storage')}\n${storageTable(storages.value)}`
      return told(text + blindText(fleet), {
        storages: storages.value.map(storageData),
        unreachable: blindSpots(fleet)
      })
    }
  }),

  defineTool({
    name: 'list_templates',
    title: 'List container templates',
    group: 'fleet',
    description:
      'Container templates that are on the storages already, with the exact volume ID that pct_create takes ' +
      '(local:vztmpl/NAME). One that is not here can still be named: pct_create downloads it as a visible step.',
    input: z.strictObject({ node: nodeInput }),
    output: z.object({
      templates: z.array(
        z.object({
          volid: z.string(),
          storage: z.string(),
          node: z.string(),
          size: z.number(),
          shared: z.boolean()
        })
      ),
      failed: z.array(z.string()),
      unreachable: blindSchema
    }),
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ node }) => ({
      sentence: `Listing templates${node ? ` on ${node}` : ''}`,
      object: 'templates'
    }),
    async run({ node }) {
      await fleet.fresh()
      const storages = ofNode(fleet, fleet.storages(), node)
      if (!storages.ok) return refused(storages.error)
      const places = withTemplates(storages.value)
      const answers = await Promise.all(places.map((storage) => templatesOf(fleet, storage)))
      const templates = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer))
      const failed = answers.filter((answer) => typeof answer === 'string')
      const head =
        templates.length === 0
          ? `No template is there${node ? ` on ${node}` : ''}: pct_create or template_download can fetch one.`
          : `${count(templates.length, 'template')}\n${table(
              ['TEMPLATE', 'NODE', 'SIZE'],
              templates.map((each) => [
                each.volid,
                each.shared ? 'all (shared)' : each.node,
                bytes(each.size)
              ])
            )}`
      return told([head, ...failed].join('\n') + blindText(fleet), {
        templates,
        failed,
        unreachable: blindSpots(fleet)
      })
    }
  })
]

/** Storages that can be asked for templates, shared ones once. */
function withTemplates(storages: readonly StorageView[]): readonly (StorageView & { host: string })[] {
  const shared = new Set<string>()
  return storages.filter((storage): storage is StorageView & { host: string } => {
    if (!storage.active || storage.host === null || !storage.content.includes('vztmpl')) return false
    if (!storage.shared) return true
    const first = !shared.has(storage.name)
    shared.add(storage.name)
    return first
  })
}

/** The templates of one storage, or why they cannot be listed. */
async function templatesOf(fleet: Fleet, storage: StorageView & { host: string }) {
  const { host, node, name, shared } = storage
  const answer = await listContent(fleet, { host, node, storage: name }, 'vztmpl')
  if (!answer.ok) return `${name} on ${node}: ${answer.error.message}`
  return answer.value.map(({ volid, size }) => ({ volid, size, storage: name, node, shared }))
}
