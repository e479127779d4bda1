import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { lookRunning } from './guest-state'
import { at, readAt } from './inside'
import { percentIn } from './percent'
import { findPlace, nameOf } from './place'
import { proof } from './proof'

const params = z.strictObject({
  packages: z.array(field.packageName).max(200).default([]).describe('Only these; default: everything.')
})
type Params = z.output<typeof params>

/** No questions; changed configuration files are kept; a lock that is held for a moment is waited for (seconds). */
const apt = [
  'env',
  'DEBIAN_FRONTEND=noninteractive',
  'apt-get',
  '-y',
  '-o',
  'Dpkg::Options::=--force-confdef',
  '-o',
  'Dpkg::Options::=--force-confold',
  '-o',
  'DPkg::Lock::Timeout=120'
]

/** Installs waiting updates of Debian packages. */
export const aptUpgrade: Action<Params, null> = {
  name: 'apt_upgrade',
  title: 'Install updates',
  description:
    'Fetches the package lists and installs waiting updates, in a running container or on a host; with packages only ' +
    'those. Configuration files that were changed are kept. Reading what waits: list_updates.',
  targets: ['lxc', 'host'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 3600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findPlace(world, target)
    if (!place.ok) return place
    if (target.kind === 'lxc') {
      const guest = await lookRunning(world, place.value)
      if (!guest.ok) return guest
      if (place.value.resolved !== null) {
        const found = await readAt(world, place.value, ['sh', '-c', 'command -v apt-get'])
        if (!found.ok) return found
        if (found.value.code !== 0)
          return fail(
            'no_apt',
            `${nameOf(place.value)} has no apt-get: it is no Debian.`,
            'Use pct_exec with its own package manager.',
            { guest: nameOf(place.value) }
          )
      }
    }
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'config_mutation',
  sentence: ({ place, params: p }) =>
    `Install ${p.packages.length === 0 ? 'all updates' : `updates of ${p.packages.join(', ')}`} ${
      place.target.kind === 'lxc' ? 'in' : 'on'
    } ${nameOf(place)}`,
  commands: ({ place, params: p }) => [
    { step: 'update', argv: at(place, ['apt-get', 'update']) },
    { step: 'upgrade', argv: at(place, [...apt, ...upgrade(place.target.kind, p.packages)]) }
  ],
  undo: () => 'Packages are not put back; a snapshot taken before can be rolled back to.',
  progress: percentIn,

  async verify(world, { place, params: p }, end) {
    const listed = await readAt(world, place, ['apt', 'list', '--upgradable'])
    if (!listed.ok) return listed
    const waiting = listed.value.stdout
      .split('\n')
      .flatMap((line) => /^([a-z0-9][^/\s]*)\//.exec(line)?.[1] ?? [])
    if (p.packages.length > 0) {
      const left = p.packages.filter((name) => waiting.includes(name))
      return proof(
        left.length === 0,
        left.length === 0 ? `${p.packages.join(', ')}: up to date.` : `Still waiting: ${left.join(', ')}.`,
        'packages',
        { packages: p.packages, left }
      )
    }
    // Apt keeps back what would need other packages to go; that is its decision, not a failure.
    const left = waiting.length === 0 ? 'No updates are waiting.' : `Kept back: ${waiting.join(', ')}.`
    const told = upgradedIn(end.output)
    return proof(true, [told, left].filter((part) => part !== '').join(' '), 'updates', {
      told,
      left: waiting
    })
  }
}

/** What apt says of itself, in its words: `3 upgraded, 0 newly installed, …`. */
function upgradedIn(output: string): string {
  const said = /^\d+ upgraded, \d+ newly installed, .*$/m.exec(output)?.[0]
  return said === undefined ? '' : said.replace(/\.?$/, '.')
}

/** On a node of Proxmox only `dist-upgrade` is right: `upgrade` can leave it between two versions. */
const upgrade = (kind: 'host' | 'lxc' | 'vm', packages: readonly string[]): readonly string[] =>
  packages.length > 0
    ? ['install', '--only-upgrade', ...packages]
    : [kind === 'host' ? 'dist-upgrade' : 'upgrade']
