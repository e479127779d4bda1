import { z } from 'zod'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { bytes, count, duration, usage } from '../format'
import { refused, told } from '../outcome'
import { hostSchema, targetInput } from '../schemas'
import type { Tool } from '../tool'
import { bulkHint, type TurnCounts } from '../turn-counts'
import { asTarget, bareName, blindText, hostData, hostTable } from './known'

const memory = z.object({ used: z.coerce.number(), total: z.coerce.number() }).nullable().catch(null)
/** `pvesh get /nodes/N/status` (PVE/API2/Nodes.pm). */
const nodeStatus = z.object({
  loadavg: z.array(z.coerce.string()).catch([]),
  kversion: z.string().nullable().catch(null),
  pveversion: z.string().nullable().catch(null),
  wait: z.coerce.number().nullable().catch(null),
  rootfs: memory,
  swap: memory
})

/** Tools for the hosts themselves. */
export const hostTools = (fleet: Fleet, counts: TurnCounts): Tool[] => [
  defineTool({
    name: 'list_hosts',
    title: 'List hosts',
    group: 'fleet',
    description:
      'All configured hosts: node name, whether they can be reached, Proxmox version, CPU, memory, uptime. ' +
      'Use it to learn host names for targets (host:NAME) and why a host cannot be asked. ' +
      'For guests, storages and hosts in one call use get_state_snapshot.',
    input: z.strictObject({}),
    output: z.object({ hosts: z.array(hostSchema) }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: () => ({ sentence: 'Listing hosts', object: 'hosts' }),
    async run() {
      await fleet.fresh()
      const hosts = fleet.hosts()
      const text =
        hosts.length === 0
          ? 'No host is configured yet. The operator adds one on the Fleet page.'
          : `${count(hosts.length, 'host')}\n${hostTable(hosts)}${blindText(fleet)}`
      return told(text, { hosts: hosts.map(hostData) })
    }
  }),

  defineTool({
    name: 'get_host_state',
    title: 'State of a host',
    group: 'fleet',
    description:
      'One host in detail: load, memory, swap, root disk, kernel, version, number of guests. ' +
      'For all hosts at once use list_hosts; for its services list_services with host:NAME.',
    input: z.strictObject({ host: targetInput('Host or node name, such as strong.') }),
    output: z.object({
      host: hostSchema,
      load: z.array(z.string()),
      kernel: z.string().nullable(),
      ioWait: z.number().nullable(),
      rootDisk: z.object({ used: z.number(), total: z.number() }).nullable(),
      swap: z.object({ used: z.number(), total: z.number() }).nullable(),
      containers: z.number(),
      vms: z.number()
    }),
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ host }) => ({ sentence: `Reading the state of ${bareName(host)}`, object: bareName(host) }),
    async run({ host: name }, context) {
      const found = await fleet.resolve(asTarget('host', name))
      if (!found.ok) return refused(found.error)
      const view = fleet.hosts().find((each) => each.name === found.value.host)
      if (!view) return refused({ code: 'host_unknown', message: `${name} is no longer configured.` })
      const answer =
        view.node === null
          ? null
          : await fleet.pvesh(view.name, `/nodes/${encodeURIComponent(view.node)}/status`)
      if (answer && !answer.ok) return refused(answer.error)
      const status = nodeStatus.parse(answer?.value ?? {})
      const guests = fleet.guests().filter((guest) => guest.host === view.name)
      const containers = guests.filter((guest) => guest.kind === 'lxc').length
      const lines = [
        `${view.name}: ${view.connection}, ${view.node === null ? 'no Proxmox VE' : `node ${view.node}, ${status.pveversion ?? view.version ?? 'version unknown'}`}`,
        status.kversion && `Kernel: ${status.kversion}`,
        view.uptime !== null && `Up: ${duration(view.uptime)}`,
        view.cpu !== null && `CPU: ${Math.round(view.cpu * 100)}% of ${view.cpus ?? '?'}`,
        status.loadavg.length > 0 && `Load: ${status.loadavg.join(' ')}`,
        view.memory !== null && `Memory: ${usage(view.memory, view.maxMemory ?? 0)}`,
        status.swap && `Swap: ${usage(status.swap.used, status.swap.total)}`,
        status.rootfs &&
          `Root disk: ${usage(status.rootfs.used, status.rootfs.total)}, ${bytes(status.rootfs.total - status.rootfs.used)} free`,
        `Guests: ${count(containers, 'container')}, ${count(guests.length - containers, 'virtual machine')}`
      ].filter((line) => typeof line === 'string')
      return told(lines.join('\n') + bulkHint(counts, context, 'get_host_state', 'list_hosts'), {
        host: hostData(view),
        load: status.loadavg,
        kernel: status.kversion,
        ioWait: status.wait,
        rootDisk: status.rootfs,
        swap: status.swap,
        containers,
        vms: guests.length - containers
      })
    }
  })
]
