import { z } from 'zod'
import type { TaskView } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet } from '../port'
import { nodePath, rows } from './paths'

/** `/nodes/N/tasks` (PVE/API2/Tasks.pm). */
const entry = z.object({
  upid: z.string().min(1),
  type: z.string().catch(''),
  id: z.union([z.string(), z.number().transform(String)]).catch(''),
  user: z.string().catch(''),
  node: z.string().catch(''),
  status: z.string().nullable().catch(null),
  starttime: z.coerce.number().catch(0),
  endtime: z.coerce.number().nullable().catch(null)
})

/** The latest Proxmox tasks of a node, whoever started them. */
export async function listTasks(
  fleet: Fleet,
  host: string,
  node: string,
  limit: number
): Promise<Result<TaskView[]>> {
  const args = ['--limit', String(limit), '--source', 'all']
  const answer = await fleet.pvesh(host, `${nodePath(node)}/tasks`, args)
  if (!answer.ok) return answer
  return ok(
    rows(entry, answer.value).map(({ starttime, endtime, status, ...task }) => ({
      ...task,
      status: endtime === null ? 'running' : (status ?? 'unknown'),
      startedAt: starttime * 1000,
      endedAt: endtime === null ? null : endtime * 1000
    }))
  )
}
