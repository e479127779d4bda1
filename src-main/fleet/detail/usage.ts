import { z } from 'zod'
import type { UsageSample, UsageSpan } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet, ResolvedTarget } from '../port'
import { guestPath, nodePath, rows } from './paths'

const number = z.coerce.number().refine(Number.isFinite).nullable().catch(null)
/** `/nodes/N/rrddata` and that of guests (PVE/API2/Nodes.pm): a moment without a measurement has its time only. */
const entry = z.object({
  time: z.coerce.number(),
  cpu: number.default(null),
  mem: number.default(null),
  maxmem: number.default(null),
  memused: number.default(null),
  memtotal: number.default(null),
  netin: number.default(null),
  netout: number.default(null)
})

/** What a host or guest used over the last hour, day or week, as Proxmox keeps it; the oldest first. */
export async function readUsage(
  fleet: Fleet,
  target: ResolvedTarget,
  span: UsageSpan
): Promise<Result<UsageSample[]>> {
  const base =
    target.kind === 'host' ? nodePath(target.node) : guestPath(target.node, target.kind, target.guest.vmid)
  const answer = await fleet.pvesh(target.host, `${base}/rrddata`, ['--timeframe', span])
  if (!answer.ok) return answer
  return ok(
    rows(entry, answer.value)
      .map(({ time, cpu, netin, netout, ...memory }) => ({
        at: time * 1000,
        cpu,
        memory: fraction(memory.mem ?? memory.memused, memory.maxmem ?? memory.memtotal),
        netIn: netin,
        netOut: netout
      }))
      .sort((a, b) => a.at - b.at)
  )
}

const fraction = (used: number | null, all: number | null): number | null =>
  used === null || all === null || all <= 0 ? null : used / all
