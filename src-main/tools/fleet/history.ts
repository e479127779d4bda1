import { z } from 'zod'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { count, moment, table } from '../format'
import { refused, told } from '../outcome'
import { nodeInput, targetInput } from '../schemas'
import type { Tool } from '../tool'
import { bareName } from './known'

/** `/nodes/N/{lxc,qemu}/ID/snapshot`. */
const snapshotEntry = z.object({
  name: z.string().min(1),
  description: z.string().catch(''),
  snaptime: z.coerce.number().nullable().catch(null),
  parent: z.string().nullable().catch(null)
})
/** `/nodes/N/tasks` (PVE/API2/Tasks.pm). */
const taskEntry = z.object({
  upid: z.string().min(1),
  type: z.string().catch(''),
  id: z.union([z.string(), z.number().transform(String)]).catch(''),
  user: z.string().catch(''),
  node: z.string().catch(''),
  status: z.string().nullable().catch(null),
  starttime: z.coerce.number().catch(0),
  endtime: z.coerce.number().nullable().catch(null)
})

const rows = <T extends z.ZodType>(schema: T, value: unknown): z.output<T>[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })

/** Tools for what was: snapshots of guests and tasks of nodes. */
export const historyTools = (fleet: Fleet): Tool[] => [
  defineTool({
    name: 'list_snapshots',
    title: 'List snapshots',
    group: 'fleet',
    description:
      'Snapshots of one guest, oldest first, with the moment they were taken. Use it before rolling back or deleting one.',
    input: z.strictObject({ target: targetInput('The guest: lxc:NAME, lxc:VMID, vm:NAME or vm:VMID.') }),
    output: z.object({
      target: z.string(),
      snapshots: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          takenAt: z.number().nullable(),
          parent: z.string().nullable()
        })
      )
    }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ target }) => ({
      sentence: `Listing snapshots of ${bareName(target)}`,
      object: bareName(target)
    }),
    async run({ target }) {
      const found = await fleet.resolve(target)
      if (!found.ok) return refused(found.error)
      if (found.value.kind === 'host')
        return refused({
          code: 'target_invalid',
          message: 'Only containers and virtual machines have snapshots.'
        })
      const { guest, host, node, kind } = found.value
      const answer = await fleet.pvesh(
        host,
        `/nodes/${encodeURIComponent(node)}/${kind === 'lxc' ? 'lxc' : 'qemu'}/${guest.vmid}/snapshot`
      )
      if (!answer.ok) return refused(answer.error)
      const snapshots = rows(snapshotEntry, answer.value)
        // "current" is the guest as it is, not a snapshot.
        .filter((entry) => entry.name !== 'current')
        .map(({ snaptime, ...entry }) => ({ ...entry, takenAt: snaptime === null ? null : snaptime * 1000 }))
        .sort((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0))
      const text =
        snapshots.length === 0
          ? `${guest.name} (${guest.vmid}) has no snapshots.`
          : `${count(snapshots.length, 'snapshot')} of ${guest.name} (${guest.vmid})\n${table(
              ['NAME', 'TAKEN', 'AFTER', 'DESCRIPTION'],
              snapshots.map((each) => [
                each.name,
                each.takenAt === null ? '-' : moment(each.takenAt),
                each.parent ?? '-',
                each.description
              ])
            )}`
      return told(text, { target: `${kind}:${guest.vmid}@${node}`, snapshots })
    }
  }),

  defineTool({
    name: 'list_tasks',
    title: 'List tasks of nodes',
    group: 'fleet',
    description:
      'The latest Proxmox tasks of the nodes (20 a node): backups, migrations, starts, by whom, and how they ended. ' +
      'Use it to see who holds a lock or what was done outside of Nomos. What Nomos did is in list_executions.',
    input: z.strictObject({ node: nodeInput }),
    output: z.object({
      tasks: z.array(
        z.object({
          upid: z.string(),
          type: z.string(),
          id: z.string(),
          user: z.string(),
          node: z.string(),
          status: z.string(),
          startedAt: z.number(),
          endedAt: z.number().nullable()
        })
      ),
      failed: z.array(z.string())
    }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ node }) => ({ sentence: `Listing tasks${node ? ` of ${node}` : ''}`, object: 'tasks' }),
    async run({ node }) {
      await fleet.fresh()
      const only = node === undefined ? null : fleet.hostOfNode(node)
      if (only && !only.ok) return refused(only.error)
      const hosts = fleet
        .hosts()
        .filter((host) => host.node !== null && (only === null || host.name === only.value))
      const failed: string[] = []
      const tasks = (
        await Promise.all(
          hosts.map(async (host) => {
            const path = `/nodes/${encodeURIComponent(host.node ?? '')}/tasks`
            const answer = await fleet.pvesh(host.name, path, ['--limit', '20', '--source', 'all'])
            if (!answer.ok) failed.push(`${host.name}: ${answer.error.message}`)
            return answer.ok ? rows(taskEntry, answer.value) : []
          })
        )
      )
        .flat()
        .map(({ starttime, endtime, status, ...task }) => ({
          ...task,
          status: endtime === null ? 'running' : (status ?? 'unknown'),
          startedAt: starttime * 1000,
          endedAt: endtime === null ? null : endtime * 1000
        }))
        .sort((a, b) => b.startedAt - a.startedAt)
      const list = table(
        ['STARTED', 'NODE', 'TASK', 'ID', 'USER', 'STATUS'],
        tasks.map((task) => [
          moment(task.startedAt),
          task.node,
          task.type,
          task.id || '-',
          task.user,
          task.status
        ])
      )
      return told([tasks.length === 0 ? 'No tasks are known.' : list, ...failed].join('\n'), {
        tasks,
        failed
      })
    }
  })
]
