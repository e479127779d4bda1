import { z } from 'zod'
import type { ExecutionView } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Executions } from '../../execution/port'
import type { Fleet } from '../../fleet/port'
import { nearNames } from '../../fleet/near'
import type { Knowledge } from '../../knowledge/port'
import { defineTool } from '../define'
import { count, moment } from '../format'
import { refused, told } from '../outcome'
import { blindSchema, executionSchema, guestSchema, hostSchema, storageSchema, targetInput } from '../schemas'
import { executionData, executionLine } from '../doing/execution-text'
import { fitting } from '../text'
import type { Tool } from '../tool'
import { bulkHint, type TurnCounts } from '../turn-counts'
import { allEntities, entityText, type Entity } from './entity'
import {
  bareName,
  blindSpots,
  blindText,
  guestData,
  guestNames,
  guestTable,
  hostData,
  hostTable,
  storageData,
  storageTable
} from './known'

const kinds = ['host', 'lxc', 'vm', 'storage'] as const
const entitySchema = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  name: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relations: z.array(z.object({ relation: z.string(), id: z.string() })),
  seen_at: z.number().nullable()
})
const targetField = targetInput('host:NAME, lxc:NAME, vm:NAME, storage:NAME@NODE, or a name alone.')

/** Tools for everything that is known, whatever its kind. */
export const entityTools = (
  fleet: Fleet,
  executions: Executions,
  knowledge: Knowledge,
  counts: TurnCounts
): Tool[] => [
  defineTool({
    name: 'list_entities',
    title: 'List what is known',
    group: 'fleet',
    description:
      'Everything known by name: hosts, containers (lxc), virtual machines (vm) and storages, with what belongs to what. ' +
      'For figures such as memory use list_lxcs, list_vms, list_storages or get_state_snapshot.',
    input: z.strictObject({ kind: z.enum(kinds).optional().describe('Only entities of this kind.') }),
    output: z.object({ entities: z.array(entitySchema) }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ kind }) => ({
      sentence: `Listing ${kind ? `${kind} entities` : 'entities'}`,
      object: 'entities'
    }),
    async run({ kind }) {
      await fleet.fresh()
      const entities = allEntities(fleet).filter((entity) => kind === undefined || entity.kind === kind)
      const line = (entity: Entity, more: string) =>
        `${entity.id}${entity.name === bareName(entity.id) ? '' : ` ${entity.name}`}${more}`
      const related = (entity: Entity) =>
        entity.relations.map((each) => ` · ${each.relation} ${each.id}`).join('')
      const text = fitting(
        () =>
          [`${entities.length} known`, ...entities.map((entity) => line(entity, related(entity)))].join('\n'),
        () => [`${entities.length} known`, entities.map((entity) => line(entity, '')).join(', ')].join('\n')
      )
      return told(text + blindText(fleet), { entities })
    }
  }),

  defineTool({
    name: 'get_entity',
    title: 'What is known of one entity',
    group: 'fleet',
    description:
      'Attributes, relations and age of what is known of one entity, without asking its host for more. ' +
      'For the configuration and addresses of a container use get_lxc_state; for several entities list_entities or ' +
      'get_state_snapshot.',
    input: z.strictObject({ target: targetField }),
    output: z.object({ entity: entitySchema }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ target }) => ({ sentence: `Looking up ${bareName(target)}`, object: bareName(target) }),
    async run({ target }, context) {
      const hint = bulkHint(counts, context, 'get_entity')
      const found = await findEntity(fleet, target)
      if (!found.ok) return refused(found.error)
      return told(entityText(found.value) + hint, { entity: found.value })
    }
  }),

  defineTool({
    name: 'explain',
    title: 'Explain an entity',
    group: 'fleet',
    description:
      'What is known of one entity together with what it belongs to, the latest executions on it, and notes that name ' +
      'it. Use it when the operator asks about a thing by name, or before changing it.',
    input: z.strictObject({ target: targetField }),
    output: z.object({
      entity: entitySchema,
      executions: z.array(executionSchema),
      notes: z.array(z.object({ id: z.string(), title: z.string() }))
    }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ target }) => ({
      sentence: `Gathering what is known of ${bareName(target)}`,
      object: bareName(target)
    }),
    async run({ target }) {
      const found = await findEntity(fleet, target)
      if (!found.ok) return refused(found.error)
      const entity = found.value
      const recent = executions
        .list({ query: entity.name, limit: 50 })
        .executions.filter((execution) => concerns(execution, entity))
        .slice(0, 10)
      const notes = knowledge
        .search(entity.name, 10)
        .filter((hit) => hit.source === 'note' || hit.source === 'file')
        .slice(0, 5)
        .map(({ id, title }) => ({ id, title }))
      const text = [
        entityText(entity),
        recent.length === 0
          ? 'No executions of Nomos on it.'
          : `Latest ${count(recent.length, 'execution')}:`,
        ...recent.map((execution) => `  ${moment(execution.requestedAt)} ${executionLine(execution)}`),
        ...(notes.length > 0
          ? ['Notes that name it (get_document):', ...notes.map((note) => `  ${note.id} ${note.title}`)]
          : [])
      ]
      return told(text.join('\n') + blindText(fleet), {
        entity,
        executions: recent.map(executionData),
        notes
      })
    }
  }),

  defineTool({
    name: 'get_state_snapshot',
    title: 'The whole fleet',
    group: 'fleet',
    description:
      'The whole fleet in one call: hosts, containers, virtual machines, storages with their figures, and the executions ' +
      'that run or wait. Use it for any question about the fleet as a whole instead of asking part by part.',
    input: z.strictObject({}),
    output: z.object({
      hosts: z.array(hostSchema),
      lxcs: z.array(guestSchema),
      vms: z.array(guestSchema),
      storages: z.array(storageSchema),
      executions: z.array(executionSchema),
      unreachable: blindSchema,
      refreshed_at: z.number().nullable()
    }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: () => ({ sentence: 'Reading the state of the whole fleet', object: 'fleet' }),
    async run() {
      await fleet.fresh()
      const view = fleet.view()
      const lxcs = view.guests.filter((guest) => guest.kind === 'lxc')
      const vms = view.guests.filter((guest) => guest.kind === 'vm')
      const open = executions.open()
      const text = (guests: (list: typeof lxcs) => string) =>
        [
          `Hosts (${view.hosts.length})`,
          hostTable(view.hosts),
          `\nContainers (${lxcs.length})`,
          lxcs.length > 0 ? guests(lxcs) : '',
          `\nVirtual machines (${vms.length})`,
          vms.length > 0 ? guests(vms) : '',
          `\nStorages (${view.storages.length})`,
          view.storages.length > 0 ? storageTable(view.storages) : '',
          `\nOpen executions (${open.length})`,
          ...open.map(executionLine)
        ]
          .filter((line) => line !== '')
          .join('\n')
      const fitted = fitting(
        () => text(guestTable),
        () => text(guestNames)
      )
      return told(fitted + blindText(fleet), {
        hosts: view.hosts.map(hostData),
        lxcs: lxcs.map(guestData),
        vms: vms.map(guestData),
        storages: view.storages.map(storageData),
        executions: open.map(executionData),
        unreachable: blindSpots(fleet),
        refreshed_at: view.refreshedAt
      })
    }
  })
]

/** An entity by its ID, by target or by a name alone. */
async function findEntity(fleet: Fleet, text: string): Promise<Result<Entity>> {
  await fleet.fresh()
  const wanted = text.trim().toLowerCase()
  const entities = allEntities(fleet)
  const byId = entities.find((entity) => entity.id.toLowerCase() === wanted)
  if (byId) return ok(byId)
  if (/^(host|lxc|vm):/.test(wanted)) {
    const found = await fleet.resolve(text.trim())
    if (!found.ok) return found
    const id =
      found.value.kind === 'host'
        ? `host:${found.value.host}`
        : `${found.value.kind}:${found.value.guest.vmid}@${found.value.node}`
    const entity = allEntities(fleet).find((each) => each.id === id)
    if (entity) return ok(entity)
  }
  const name = bareName(wanted)
  const named = entities.filter(
    (entity) => entity.name.toLowerCase() === name || entity.aliases.includes(name)
  )
  const [only] = named
  if (only && named.length === 1) return ok(only)
  if (named.length > 1)
    return {
      ok: false,
      error: {
        code: 'target_ambiguous',
        message: `${text} could be any of ${named.length} things.`,
        hint: `Name one of: ${named.map((entity) => entity.id).join(', ')}.`
      }
    }
  const near = nearNames(
    name,
    entities.map((entity) => entity.name)
  )
  return {
    ok: false,
    error: {
      code: 'target_not_found',
      message: `Nothing named ${text} is known.`,
      hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'list_entities names everything.'
    }
  }
}

const concerns = (execution: ExecutionView, entity: Entity): boolean =>
  entity.kind === 'host'
    ? execution.host === entity.name
    : execution.guestName === entity.name || (entity.vmid !== null && execution.vmid === entity.vmid)
