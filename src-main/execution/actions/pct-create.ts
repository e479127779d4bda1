import { z } from 'zod'
import { sha256 } from '../../base/canonical'
import { fail, ok, type Result } from '../../base/result'
import type { TargetName } from '../../fleet/port'
import type { Action, ActionPlace, ActionWorld, Command } from './action'
import * as field from './fields'
import { readConfig, readStatus, read } from './guest-state'
import { freeVmid } from './new-guest'
import { percentIn } from './percent'
import { eventually, proof } from './proof'
import { pickRootStorage, pickTemplate, type TemplateChoice } from './storages'
import { nameOf, vmidOf } from './place'

const mount = z.strictObject({
  source: field.absolutePath.describe('Folder on the host.'),
  path: field.absolutePath.describe('Where it appears in the container.'),
  readOnly: z.boolean().default(true)
})

const params = z.strictObject({
  hostname: field.hostname.optional().describe('Default: the name in the target.'),
  vmid: field.vmid.optional().describe('Default: the next free one.'),
  template: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Volume, file name or its beginning, such as debian-12-standard. Default: the newest Debian. Downloaded if absent.'
    ),
  storage: field.identifier
    .optional()
    .describe('For the root disk. Default: the one with the most free space.'),
  diskGiB: field.count(1, 65_536).default(8),
  cores: field.count(1, 8192).default(1),
  memoryMiB: field.count(16, 16_777_216).default(512),
  swapMiB: field.count(0, 16_777_216).default(512),
  bridge: field.identifier.default('vmbr0'),
  ip: field.ipOrDhcp.default('dhcp'),
  gateway: field.gateway.optional(),
  unprivileged: z.boolean().default(true),
  nesting: z.boolean().default(false).describe('For Docker inside: nesting and keyctl.'),
  keyctl: z.boolean().default(false),
  mounts: z.array(mount).max(16).default([]).describe('Bind mounts. They make snapshots impossible.'),
  onboot: z.boolean().default(true),
  start: z.boolean().default(true),
  tags: z.array(field.tag).max(20).default([]),
  sshKeys: z.array(field.sshPublicKey).max(20).default([]).describe('Public keys for root.'),
  description: field.description.default('')
})
type Params = z.output<typeof params>

interface Facts {
  readonly hostname: string
  readonly vmid: number
  readonly storage: string
  readonly template: TemplateChoice
}

/** Creates a container and starts it. Nothing is picked in silence: every choice is in the card. */
export const pctCreate: Action<Params, Facts> = {
  name: 'pct_create',
  title: 'Create a container',
  description:
    'Creates an LXC container and starts it. Target: lxc:NAME@NODE, the name of the new container. ' +
    'VMID, template and storage are picked and shown when they are not given.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 1800,
  serialise: 'cluster',

  async preflight(world, target, wished) {
    const name = wished.hostname ?? target.id
    const problem = newNameProblem(target, name)
    if (problem) return problem
    const node = await nodeFor(world, target)
    if (!node.ok) return node
    const { host, cluster } = node.value
    const taken = nameTaken(world, cluster, name)
    if (taken) return taken
    const storage = pickRootStorage(world, node.value.node, wished.storage, wished.diskGiB)
    if (!storage.ok) return storage
    const template = await pickTemplate(world, host, node.value.node, wished.template)
    if (!template.ok) return template
    const missing = await missingSource(world, host, wished.mounts)
    if (missing) return missing
    const vmid = await freeVmid(world, host, cluster, wished.vmid)
    if (!vmid.ok) return vmid
    const place: ActionPlace = {
      target,
      host,
      node: node.value.node,
      cluster,
      vmid: vmid.value,
      guestName: name,
      resolved: null,
      plannedStatus: null
    }
    const decided = { hostname: name, vmid: vmid.value, storage: storage.value, template: template.value }
    return ok({
      place,
      params: { ...wished, ...decided, template: template.value.volume },
      facts: decided
    })
  },

  risk: () => 'config_mutation',
  sentence: ({ place }) => `Create container ${nameOf(place)}`,

  commands({ place, params: p, facts }) {
    const id = vmidOf(place)
    const keys = p.sshKeys.join('\n')
    const keyFile = `/tmp/nomos-${sha256(`${id} ${keys}`).slice(0, 24)}`
    const commands: Command[] = []
    if (facts.template.download)
      commands.push({
        step: 'template',
        argv: ['pveam', 'download', facts.template.download.storage, facts.template.download.name]
      })
    if (keys !== '')
      commands.push({
        step: 'keys',
        argv: ['sh', '-c', 'umask 077; printf %s "$1" > "$2"', 'sh', `${keys}\n`, keyFile]
      })
    commands.push({
      step: 'create',
      argv: ['pct', 'create', id, facts.template.volume, ...options(p, facts, keys === '' ? null : keyFile)]
    })
    if (keys !== '') commands.push({ step: 'keys', argv: ['rm', '-f', keyFile] })
    if (p.start) commands.push({ step: 'start', argv: ['pct', 'start', id] })
    return commands
  },

  undo: ({ place }) => `pct_destroy lxc:${vmidOf(place)} removes it again, with everything in it.`,

  // The root of a privileged container is the host's; what is mounted is the host's own.
  reachesHost: ({ params: p }) => !p.unprivileged || p.mounts.length > 0,
  creates: ({ place, params: p }) => ({
    kind: 'lxc',
    name: place.guestName ?? '',
    vmid: place.vmid ?? 0,
    node: place.node,
    host: place.host,
    cluster: place.cluster,
    status: p.start ? 'running' : 'stopped',
    resolved: null
  }),

  progress: percentIn,

  verify: (world, { place, params: p, facts }) =>
    eventually(world, async () => {
      const [status, config] = await Promise.all([readStatus(world, place), readConfig(world, place)])
      if (!status.ok)
        return status.error.code === 'guest_gone'
          ? proof(false, `${nameOf(place)} does not exist.`, 'guest_absent')
          : status
      if (!config.ok)
        return config.error.code === 'guest_gone'
          ? proof(false, `${nameOf(place)} does not exist.`, 'guest_absent')
          : config
      const wanted = p.start ? 'running' : 'stopped'
      const isNamed = config.value.get('hostname') === facts.hostname
      return proof(
        status.value === wanted && isNamed,
        `${nameOf(place)} exists${isNamed ? '' : `, named ${config.value.get('hostname') ?? 'nothing'}`} and is ${status.value}.`,
        'guest_made',
        { status: status.value, ...(!isNamed && { named: config.value.get('hostname') ?? '' }) }
      )
    })
}

/** The options of `pct create`. `rootfs` takes a plain number of GiB; a password is never given. */
function options(p: Params, facts: Facts, keyFile: string | null): string[] {
  const features = [p.keyctl ? 'keyctl=1' : null, p.nesting ? 'nesting=1' : null].filter(
    (each) => each !== null
  )
  const net = [
    'name=eth0',
    `bridge=${p.bridge}`,
    `ip=${p.ip}`,
    ...(p.gateway === undefined ? [] : [`gw=${p.gateway}`])
  ]
  return [
    ['--hostname', facts.hostname],
    ['--cores', String(p.cores)],
    ['--memory', String(p.memoryMiB)],
    ['--swap', String(p.swapMiB)],
    ['--rootfs', `${facts.storage}:${p.diskGiB}`],
    ['--net0', net.join(',')],
    ['--unprivileged', p.unprivileged ? '1' : '0'],
    ...(features.length > 0 ? [['--features', features.join(',')]] : []),
    ['--onboot', p.onboot ? '1' : '0'],
    ...p.mounts.map(({ source, path, readOnly }, index) => [
      `--mp${index}`,
      `${source},mp=${path}${readOnly ? ',ro=1' : ''}`
    ]),
    ...(p.tags.length > 0 ? [['--tags', p.tags.join(';')]] : []),
    ...(p.description === '' ? [] : [['--description', p.description]]),
    ...(keyFile === null ? [] : [['--ssh-public-keys', keyFile]])
  ].flat()
}

function newNameProblem(target: TargetName, name: string): Result<never> | null {
  if (/^\d+$/.test(name))
    return fail(
      'hostname_invalid',
      `lxc:${name} names a container by its number, but a new one needs a name.`,
      'Write lxc:NAME@NODE; a wished VMID goes into params.vmid.'
    )
  const problem = field.hostnameProblem(name)
  return problem === null
    ? null
    : fail('hostname_invalid', problem, 'Correct the name in the target or in params.hostname.', {
        field: 'hostname',
        target: target.id
      })
}

/** The node named in the target, or the only one there is. */
async function nodeFor(world: ActionWorld, target: TargetName) {
  await world.fleet.fresh()
  const hosts = world.fleet.hosts()
  const [only] = hosts
  if (target.node === null && (only === undefined || hosts.length > 1))
    return only === undefined
      ? fail('host_unknown', 'No host is configured yet.', 'Add one on the Fleet page.', { none: true })
      : fail(
          'target_ambiguous',
          `On which node shall ${target.id} be created?`,
          `Write one of: ${hosts.map((host) => `lxc:${target.id}@${host.node ?? host.name}`).join(', ')}.`,
          { target: target.id, candidates: hosts.map((host) => `lxc:${target.id}@${host.node ?? host.name}`) }
        )
  return world.fleet.resolve(`host:${target.node ?? only?.name ?? ''}`)
}

function nameTaken(world: ActionWorld, cluster: string, name: string): Result<never> | null {
  const planned = world.planned.find(
    (guest) => guest.cluster === cluster && guest.name === name && guest.status !== 'gone'
  )
  const freed = world.planned.some(
    (guest) => guest.cluster === cluster && guest.name === name && guest.status === 'gone'
  )
  const real = freed
    ? undefined
    : world.fleet.guests().find((guest) => guest.cluster === cluster && guest.name === name)
  const other = planned ?? real
  return other
    ? fail(
        'name_taken',
        `There is already a guest named ${name}: ${other.vmid} on ${other.node}.`,
        'Use that one, or give the new one another name.',
        { name, vmid: other.vmid }
      )
    : null
}

/** `pct create` takes a missing source and fails only at the start. */
async function missingSource(
  world: ActionWorld,
  host: string,
  mounts: Params['mounts']
): Promise<Result<never> | null> {
  for (const { source } of mounts) {
    const found = await read(world, host, ['test', '-d', source])
    if (!found.ok) return found
    if (found.value.code !== 0)
      return fail(
        'mount_source_missing',
        `The folder ${source} does not exist on ${host}.`,
        'Create it first, or leave the mount out.',
        { source, host }
      )
  }
  return null
}
