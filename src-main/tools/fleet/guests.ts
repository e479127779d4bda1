import { z } from 'zod'
import type { GuestDetail } from '../../../src-preload/contract'
import { guestDetail } from '../../fleet/detail/guest'
import type { Fleet } from '../../fleet/port'
import { defineTool } from '../define'
import { bytes, count, duration, usage } from '../format'
import { refused, told } from '../outcome'
import { fitting } from '../text'
import { blindSchema, guestSchema, nodeInput, targetInput } from '../schemas'
import type { Tool, ToolOutcome } from '../tool'
import { bulkHint, type TurnCounts } from '../turn-counts'
import { asTarget, bareName, blindSpots, blindText, guestData, guestNames, guestTable, ofNode } from './known'

const listed = z.object({ guests: z.array(guestSchema), unreachable: blindSchema })
const detailed = z.object({
  target: z.string(),
  guest: guestSchema,
  config: z.record(z.string(), z.string()),
  addresses: z.array(z.string())
})

/** Tools for containers and virtual machines. */
export const guestTools = (fleet: Fleet, counts: TurnCounts): Tool[] => [
  defineTool({
    name: 'list_lxcs',
    title: 'List containers',
    group: 'fleet',
    description:
      'Every container of every host in one call: VMID, name, node, status, CPU and memory use and limits, disk, uptime, ' +
      'tags, lock. Use it first for any question about more than one container; get_lxc_state is for the configuration ' +
      'and addresses of a single one.',
    input: z.strictObject({ node: nodeInput }),
    output: listed,
    readOnly: true,
    timeoutMs: 45_000,
    sentence: ({ node }) => ({
      sentence: `Listing containers${node ? ` on ${node}` : ''}`,
      object: 'containers'
    }),
    run: ({ node }) => listGuests(fleet, 'lxc', node)
  }),

  defineTool({
    name: 'list_vms',
    title: 'List virtual machines',
    group: 'fleet',
    description:
      'Every virtual machine of every host in one call: VMID, name, node, status, CPU and memory use and limits, disk, ' +
      'uptime, tags, lock. Containers are in list_lxcs; get_vm_state is for one machine in detail.',
    input: z.strictObject({}),
    output: listed,
    readOnly: true,
    timeoutMs: 45_000,
    sentence: () => ({ sentence: 'Listing virtual machines', object: 'virtual machines' }),
    run: () => listGuests(fleet, 'vm', undefined)
  }),

  defineTool({
    name: 'get_lxc_state',
    title: 'State of a container',
    group: 'fleet',
    description:
      'One container in detail: live status, CPU, memory, disk, lock, configuration and IP addresses. ' +
      'For more than three containers use list_lxcs, which returns all of them at once.',
    input: z.strictObject({
      target: targetInput('Name or VMID, such as typetype, 105 or lxc:typetype@strong.')
    }),
    output: detailed,
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ target }) => ({
      sentence: `Reading the state of ${bareName(target)}`,
      object: bareName(target)
    }),
    run: ({ target }, context) =>
      describeGuest(fleet, 'lxc', target, bulkHint(counts, context, 'get_lxc_state'))
  }),

  defineTool({
    name: 'get_vm_state',
    title: 'State of a virtual machine',
    group: 'fleet',
    description:
      'One virtual machine in detail: live status, CPU, memory, lock, configuration and, with the guest agent, IP ' +
      'addresses. For more than three machines use list_vms, which returns all of them at once.',
    input: z.strictObject({ target: targetInput('Name or VMID, such as nas, 200 or vm:nas@strong.') }),
    output: detailed,
    readOnly: true,
    timeoutMs: 60_000,
    sentence: ({ target }) => ({
      sentence: `Reading the state of ${bareName(target)}`,
      object: bareName(target)
    }),
    run: ({ target }, context) =>
      describeGuest(fleet, 'vm', target, bulkHint(counts, context, 'get_vm_state'))
  })
]

async function listGuests(fleet: Fleet, kind: 'lxc' | 'vm', node: string | undefined): Promise<ToolOutcome> {
  await fleet.fresh()
  const guests = ofNode(
    fleet,
    fleet.guests().filter((guest) => guest.kind === kind),
    node
  )
  if (!guests.ok) return refused(guests.error)
  const one = kind === 'lxc' ? 'container' : 'virtual machine'
  const running = guests.value.filter((guest) => guest.status === 'running').length
  const text =
    guests.value.length === 0
      ? `There is no ${one}${node ? ` on ${node}` : ''}.`
      : `${count(guests.value.length, one)}, ${running} running\n${fitting(
          () => guestTable(guests.value),
          () => guestNames(guests.value)
        )}`
  return told(text + blindText(fleet), {
    guests: guests.value.map(guestData),
    unreachable: blindSpots(fleet)
  })
}

async function describeGuest(
  fleet: Fleet,
  kind: 'lxc' | 'vm',
  target: string,
  hint: string
): Promise<ToolOutcome> {
  const detail = await guestDetail(fleet, kind, asTarget(kind, target))
  if (!detail.ok) {
    const outcome = refused(detail.error)
    return { ...outcome, text: outcome.text + hint }
  }
  const { guest, config, addresses } = detail.value
  return told(guestText(detail.value) + hint, {
    target: detail.value.target,
    guest: guestData(guest),
    config,
    addresses: [...addresses]
  })
}

/** Everything that is known of a guest, in lines. */
function guestText({ guest, target, config, addresses }: GuestDetail): string {
  const running = guest.status === 'running'
  return [
    `${guest.name} (${target}): ${guest.template ? 'template' : guest.status}${running ? ` for ${duration(guest.uptime)}` : ''}`,
    guest.lock && `Lock: ${guest.lock}`,
    running
      ? `CPU: ${Math.round(guest.cpu * 100)}% of ${guest.cpus}; memory: ${usage(guest.memory, guest.maxMemory)}`
      : `CPUs: ${guest.cpus}; memory limit: ${bytes(guest.maxMemory)}`,
    `Disk: ${guest.disk > 0 ? usage(guest.disk, guest.maxDisk) : `${bytes(guest.maxDisk)}, use unknown`}`,
    guest.tags.length > 0 && `Tags: ${guest.tags.join(';')}`,
    addresses.length > 0 && `Addresses: ${addresses.join(', ')}`,
    Object.keys(config).length > 0 && 'Configuration:',
    ...Object.entries(config).map(([key, value]) => `  ${key}: ${value}`)
  ]
    .filter((line) => typeof line === 'string' && line !== '')
    .join('\n')
}
