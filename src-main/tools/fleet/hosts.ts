import { z } from 'zod'
import { hostDetail } from '../../fleet/detail/host'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { bytes, count, duration, usage } from '../format'
import { refused, told } from '../outcome'
import { hostSchema, targetInput } from '../schemas'
import type { Tool } from '../tool'
import { bulkHint, type TurnCounts } from '../turn-counts'
import { asTarget, bareName, blindText, hostData, hostTable } from './known'

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
      if (found.value.kind !== 'host')
        return refused({ code: 'target_invalid', message: `${name} is not a host.` })
      const detail = await hostDetail(fleet, found.value)
      if (!detail.ok) return refused(detail.error)
      const { host: view, version, kernel, load, ioWait, rootDisk, swap } = detail.value
      const guests = fleet.guests().filter((guest) => guest.host === view.name)
      const containers = guests.filter((guest) => guest.kind === 'lxc').length
      const lines = [
        `${view.name}: ${view.connection}, ${view.node === null ? 'no Proxmox VE' : `node ${view.node}, ${version ?? 'version unknown'}`}`,
        kernel && `Kernel: ${kernel}`,
        view.uptime !== null && `Up: ${duration(view.uptime)}`,
        view.cpu !== null && `CPU: ${Math.round(view.cpu * 100)}% of ${view.cpus ?? '?'}`,
        load.length > 0 && `Load: ${load.join(' ')}`,
        view.memory !== null && `Memory: ${usage(view.memory, view.maxMemory ?? 0)}`,
        swap && `Swap: ${usage(swap.used, swap.total)}`,
        rootDisk &&
          `Root disk: ${usage(rootDisk.used, rootDisk.total)}, ${bytes(rootDisk.total - rootDisk.used)} free`,
        `Guests: ${count(containers, 'container')}, ${count(guests.length - containers, 'virtual machine')}`
      ].filter((line) => typeof line === 'string')
      return told(lines.join('\n') + bulkHint(counts, context, 'get_host_state'), {
        host: hostData(view),
        load: [...load],
        kernel,
        ioWait,
        rootDisk,
        swap,
        containers,
        vms: guests.length - containers
      })
    }
  })
]
