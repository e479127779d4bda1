import { z } from 'zod'
import type { HostDetail } from '../../../src-preload/contract'
import { fail, ok, type Result } from '../../base/result'
import type { Fleet, ResolvedTarget } from '../port'
import { nodePath } from './paths'

const share = z.object({ used: z.coerce.number(), total: z.coerce.number() }).nullable().catch(null)
/** `pvesh get /nodes/N/status` (PVE/API2/Nodes.pm). */
const nodeStatus = z.object({
  loadavg: z.array(z.coerce.string()).catch([]),
  kversion: z.string().nullable().catch(null),
  pveversion: z.string().nullable().catch(null),
  wait: z.coerce.number().nullable().catch(null),
  cpuinfo: z.object({ model: z.string() }).nullable().catch(null),
  rootfs: share,
  swap: share
})

/** A host as its node tells it now; of a host without Proxmox VE nothing more than the fleet knows. */
export async function hostDetail(
  fleet: Fleet,
  target: ResolvedTarget & { readonly kind: 'host' }
): Promise<Result<HostDetail>> {
  const host = fleet.hosts().find((each) => each.name === target.host)
  if (!host)
    return fail('host_unknown', `${target.host} is no longer configured.`, undefined, { host: target.host })
  const answer = host.node === null ? null : await fleet.pvesh(host.name, `${nodePath(host.node)}/status`)
  if (answer && !answer.ok) return answer
  const status = nodeStatus.parse(answer?.value ?? {})
  return ok({
    kind: 'host',
    target: `host:${host.name}`,
    host,
    version: status.pveversion ?? host.version,
    kernel: status.kversion,
    cpuModel: status.cpuinfo?.model ?? null,
    load: status.loadavg,
    ioWait: status.wait,
    rootDisk: status.rootfs,
    swap: status.swap
  })
}
