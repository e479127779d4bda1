import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { look, readConfig } from './guest-state'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'

const params = z
  .strictObject({
    cores: field.count(1, 8192).optional(),
    memoryMiB: field.count(16, 16_777_216).optional(),
    swapMiB: field.count(0, 16_777_216).optional(),
    hostname: field.hostname.optional(),
    onboot: z.boolean().optional(),
    protection: z.boolean().optional().describe('False takes the protection off: destructive.'),
    nesting: z.boolean().optional(),
    keyctl: z.boolean().optional(),
    tags: z.array(field.tag).max(20).optional(),
    description: field.description.optional(),
    nameserver: field.gateway.optional()
  })
  .refine((p) => Object.values(p).some((value) => value !== undefined), 'give at least one field to change')
type Params = z.output<typeof params>

interface Facts {
  /** The options as `pct config` shows them now, for undoing. */
  readonly before: Readonly<Record<string, string | null>>
  /** Features that stay, such as `fuse=1`. */
  readonly features: readonly string[]
}

/** Changes the configuration of a container. */
export const pctSet: Action<Params, Facts> = {
  name: 'pct_set',
  title: 'Change a container',
  description:
    'Changes cores, memory, swap, hostname, tags and the like of a container. Some changes wait for its next start.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 120,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await look(world, place.value)
    if (!guest.ok) return guest
    const { config } = guest.value
    const features = (config.get('features') ?? '')
      .split(',')
      .filter((each) => each !== '' && !/^(nesting|keyctl)=/.test(each))
    const now = new Set((config.get('features') ?? '').split(','))
    // What is not mentioned stays as it is.
    const filled = {
      ...wished,
      ...(changesFeatures(wished) && {
        nesting: wished.nesting ?? now.has('nesting=1'),
        keyctl: wished.keyctl ?? now.has('keyctl=1')
      })
    }
    if (
      place.value.resolved !== null &&
      wished.hostname !== undefined &&
      wished.hostname !== config.get('hostname')
    ) {
      const other = world.fleet
        .guests()
        .find((each) => each.cluster === place.value.cluster && each.name === wished.hostname)
      if (other)
        return fail(
          'name_taken',
          `There is already a guest named ${wished.hostname}: ${other.vmid}.`,
          'Take another name.',
          { name: wished.hostname, vmid: other.vmid }
        )
    }
    const before = Object.fromEntries(
      [...options(filled, features)].map(([key]) => [key, config.get(key) ?? null])
    )
    return ok({ place: place.value, params: filled, facts: { before, features } })
  },

  risk: ({ params: p }) => (p.protection === false ? 'destructive' : 'config_mutation'),
  sentence: ({ place, params: p, facts }) =>
    p.protection === false
      ? `Take the protection off container ${nameOf(place)}${options(p, facts.features).size > 1 ? ' and change its settings' : ''}`
      : `Set ${[...options(p, facts.features).keys()].join(', ')} of container ${nameOf(place)}`,
  commands: ({ place, params: p, facts }) => [
    {
      step: 'set',
      argv: [
        'pct',
        'set',
        vmidOf(place),
        ...[...options(p, facts.features)].flatMap(([key, value]) => [`--${key}`, value])
      ]
    }
  ],
  undo: ({ facts }) =>
    `Set back: ${Object.entries(facts.before)
      .map(([key, value]) => `${key} ${value ?? '(not set)'}`)
      .join(', ')}.`,

  async verify(world, { place, params: p, facts }) {
    const config = await readConfig(world, place)
    if (!config.ok) return config
    const wrong = [...options(p, facts.features)].filter(
      ([key, value]) => !isSame(key, config.value.get(key), value)
    )
    return proof(
      wrong.length === 0,
      wrong.length === 0
        ? `${nameOf(place)} is configured so.`
        : wrong.map(([key]) => `${key} is ${config.value.get(key) ?? 'not set'}`).join(', '),
      'settings',
      { wrong: Object.fromEntries(wrong.map(([key]) => [key, config.value.get(key) ?? null])) }
    )
  }
}

const changesFeatures = (p: Params): boolean => p.nesting !== undefined || p.keyctl !== undefined

/** Options of `pct set`, in a fixed order. */
function options(p: Params, features: readonly string[]): ReadonlyMap<string, string> {
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : value ? '1' : '0')
  const all: [string, string | undefined][] = [
    ['cores', p.cores?.toString()],
    ['memory', p.memoryMiB?.toString()],
    ['swap', p.swapMiB?.toString()],
    ['hostname', p.hostname],
    ['onboot', flag(p.onboot)],
    ['protection', flag(p.protection)],
    [
      'features',
      changesFeatures(p)
        ? [...features, `keyctl=${p.keyctl ? '1' : '0'}`, `nesting=${p.nesting ? '1' : '0'}`].join(',')
        : undefined
    ],
    ['tags', p.tags?.join(';')],
    ['description', p.description],
    ['nameserver', p.nameserver]
  ]
  return new Map(all.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** Lists in any order; the description is printed percent-encoded with a line break at its end. */
function isSame(key: string, actual: string | undefined, wanted: string): boolean {
  const parts = (text: string) =>
    text
      .split(/[;,]/)
      .filter((part) => part !== '' && !part.endsWith('=0'))
      .sort()
      .join()
  if (key === 'features' || key === 'tags') return parts(actual ?? '') === parts(wanted)
  if (key === 'description') return decoded(actual ?? '').trim() === wanted.trim()
  return (actual ?? (wanted === '0' ? '0' : '')) === wanted
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
