import { z } from 'zod'
import type { GuestDetail, GuestView } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Fleet } from '../port'
import { guestPath } from './paths'

const number = z.coerce.number().optional().catch(undefined)
/** `/nodes/N/{lxc,qemu}/ID/status/current`. */
const current = z.object({
  status: z.enum(['running', 'stopped']).optional().catch(undefined),
  cpu: number,
  mem: number,
  disk: number,
  uptime: number,
  lock: z.string().nullable().catch(null)
})
/** `/nodes/N/lxc/ID/interfaces`. */
const lxcInterfaces = z.array(
  z.object({ name: z.string(), inet: z.string().optional(), inet6: z.string().optional() })
)
/** `/nodes/N/qemu/ID/agent/network-get-interfaces`. */
const agentInterfaces = z.object({
  result: z.array(
    z.object({ name: z.string(), 'ip-addresses': z.array(z.object({ 'ip-address': z.string() })).optional() })
  )
})

/**
 * One guest as its node tells it now: status, configuration, addresses. What cannot be read is left out; when nothing
 * can, the error says why.
 */
export async function guestDetail(
  fleet: Fleet,
  kind: 'lxc' | 'vm',
  target: string
): Promise<Result<GuestDetail>> {
  const found = await fleet.resolve(target)
  if (!found.ok) return found
  if (found.value.kind === 'host' || found.value.kind !== kind)
    return {
      ok: false,
      error: {
        code: 'target_invalid',
        message: `${target} is not a ${kind === 'lxc' ? 'container' : 'virtual machine'}.`,
        hint: 'Use get_lxc_state for lxc:…, get_vm_state for vm:…, get_host_state for host:….'
      }
    }
  const { guest, host, node } = found.value
  const base = guestPath(node, kind, guest.vmid)
  const [status, config, addresses] = await Promise.all([
    fleet.pvesh(host, `${base}/status/current`),
    fleet.pvesh(host, `${base}/config`),
    guest.status === 'running'
      ? fleet.pvesh(host, `${base}/${kind === 'lxc' ? 'interfaces' : 'agent/network-get-interfaces'}`)
      : Promise.resolve(ok<unknown>([]))
  ])
  if (!status.ok && !config.ok) return status
  const live = current.safeParse(status.ok ? status.value : {})
  return ok({
    kind: 'guest',
    guest:
      live.success && live.data.status ? merged(guest, { ...live.data, status: live.data.status }) : guest,
    target: `${kind}:${guest.vmid}@${node}`,
    config: readConfig(config.ok ? config.value : {}),
    addresses: addresses.ok ? readAddresses(kind, addresses.value) : []
  })
}

const merged = (
  guest: GuestView,
  live: z.infer<typeof current> & { status: 'running' | 'stopped' }
): GuestView => ({
  ...guest,
  status: live.status,
  // One question to the node cannot measure CPU use: it says 0, and the fleet's figure is the better one.
  cpu: live.status === 'stopped' ? 0 : live.cpu || guest.cpu,
  memory: live.mem ?? guest.memory,
  disk: live.disk || guest.disk,
  uptime: live.uptime ?? guest.uptime,
  lock: live.lock
})

function readConfig(value: unknown): Record<string, string> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value)
  if (!parsed.success) return {}
  return Object.fromEntries(
    Object.entries(parsed.data)
      .filter(([key]) => key !== 'digest' && key !== 'sshkeys' && key !== 'cipassword')
      .map(([key, field]) => [key, typeof field === 'string' ? field : JSON.stringify(field)])
      .sort(([a = ''], [b = '']) => a.localeCompare(b))
  )
}

function readAddresses(kind: 'lxc' | 'vm', value: unknown): string[] {
  const found: (string | undefined)[] = []
  if (kind === 'lxc') {
    const parsed = lxcInterfaces.safeParse(value)
    if (parsed.success)
      for (const each of parsed.data) if (each.name !== 'lo') found.push(each.inet, each.inet6)
  } else {
    const parsed = agentInterfaces.safeParse(value)
    if (parsed.success)
      for (const each of parsed.data.result)
        if (each.name !== 'lo')
          found.push(...(each['ip-addresses'] ?? []).map((entry) => entry['ip-address']))
  }
  return found.filter(
    (address) => address !== undefined && address !== '' && !/^fe80:/i.test(address)
  ) as string[]
}
