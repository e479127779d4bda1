import { z } from 'zod'
import { fail, ok } from '../../base/result'
import type { Action } from './action'
import * as field from './fields'
import { lookRunning, read } from './guest-state'
import { readAt } from './inside'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'

const params = z.strictObject({
  path: field.absolutePath.describe('The file in the container.'),
  hostFile: field.absolutePath.describe('Where it goes on the host; must not exist yet.')
})
type Params = z.output<typeof params>

/** Copies a file from a container to its host. */
export const pctPull: Action<Params, null> = {
  name: 'pct_pull',
  title: 'Copy a file out of a container',
  description:
    'Copies a file from a running container to a new file on its host. For looking at a file use pct_exec with cat.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 600,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await lookRunning(world, place.value)
    if (!guest.ok) return guest
    const there = await read(world, place.value.host, ['test', '-e', wished.hostFile])
    if (!there.ok) return there
    if (there.value.code === 0)
      return fail(
        'file_exists',
        `${wished.hostFile} exists on ${place.value.host} and would be replaced.`,
        'Take another path.',
        { file: wished.hostFile }
      )
    return ok({ place: place.value, params: wished, facts: null })
  },

  risk: () => 'config_mutation',
  reachesHost: () => true,
  sentence: ({ place, params: p }) => `Copy ${p.path} of container ${nameOf(place)} to ${p.hostFile}`,
  commands: ({ place, params: p }) => [
    { step: 'pull', argv: ['pct', 'pull', vmidOf(place), p.path, p.hostFile] }
  ],
  undo: ({ place, params: p }) => `Remove ${p.hostFile} on ${place.host}.`,

  /** `pct pull` returns 0 even when it failed (pve-container `PVE/CLI/pct.pm`). */
  async verify(world, { place, params: p }) {
    const [source, copy] = await Promise.all([
      readAt(world, place, ['sha256sum', p.path]),
      read(world, place.host, ['sha256sum', p.hostFile])
    ])
    if (!source.ok) return source
    if (!copy.ok) return copy
    const isSame = copy.value.code === 0 && sumIn(copy.value.stdout) === sumIn(source.value.stdout)
    return proof(
      isSame,
      isSame ? `${p.hostFile} is the same as ${p.path}.` : `${p.hostFile} is not the same as ${p.path}.`,
      'same_file',
      { same: isSame }
    )
  }
}

const sumIn = (text: string): string | undefined => /^\\?([0-9a-f]{64})\b/m.exec(text)?.[1]
