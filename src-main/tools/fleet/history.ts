import { z } from 'zod'
import { listSnapshots } from '../../fleet/detail/snapshots'
import { listTasks } from '../../fleet/detail/tasks'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { count, moment, table } from '../format'
import { refused, told } from '../outcome'
import { nodeInput, targetInput } from '../schemas'
import type { Tool } from '../tool'
import { bareName } from './known'

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
      const snapshots = await listSnapshots(fleet, found.value)
      if (!snapshots.ok) return refused(snapshots.error)
      if (found.value.kind === 'host') return told('A host has no snapshots.', { target, snapshots: [] })
      const { guest, node, kind } = found.value
      const text =
        snapshots.value.length === 0
          ? `${guest.name} (${guest.vmid}) has no snapshots.`
          : `${count(snapshots.value.length, 'snapshot')} of ${guest.name} (${guest.vmid})\n${table(
              ['NAME', 'TAKEN', 'AFTER', 'DESCRIPTION'],
              snapshots.value.map((each) => [
                each.name,
                each.takenAt === null ? '-' : moment(each.takenAt),
                each.parent ?? '-',
                each.description
              ])
            )}`
      return told(text, { target: `${kind}:${guest.vmid}@${node}`, snapshots: snapshots.value })
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
            const answer = await listTasks(fleet, host.name, host.node ?? '', 20)
            if (!answer.ok) failed.push(`${host.name}: ${answer.error.message}`)
            return answer.ok ? answer.value : []
          })
        )
      )
        .flat()
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
