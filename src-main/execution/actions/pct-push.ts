import { z } from 'zod'
import { fail, ok } from '../../base/result'
import { sha256 } from '../../base/canonical'
import type { Action, Command } from './action'
import * as field from './fields'
import { lookRunning, read } from './guest-state'
import { readAt } from './inside'
import { findGuest, nameOf, vmidOf } from './place'
import { proof } from './proof'

/** One argument of a program holds at most 128 KiB on Linux (MAX_ARG_STRLEN). */
const mostContent = 100_000

const owner = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,31}$|^\d{1,10}$/, 'the name or the number of a user or group')

const params = z
  .strictObject({
    path: field.absolutePath.describe('Where the file goes in the container; its folder must exist.'),
    content: z
      .string()
      .max(mostContent, `at most ${mostContent} characters`)
      .optional()
      .describe('Text of the file.'),
    hostFile: field.absolutePath.optional().describe('Or a file on the host.'),
    perms: z
      .string()
      .regex(/^0?[0-7]{3}$/, 'such as 0644')
      .default('0644'),
    user: owner.optional(),
    group: owner.optional()
  })
  .refine((p) => (p.content === undefined) !== (p.hostFile === undefined), 'give either content or hostFile')
  .refine((p) => Buffer.byteLength(p.content ?? '') <= mostContent, `content: at most ${mostContent} bytes`)
type Params = z.output<typeof params>

interface Facts {
  /** SHA-256 that the file in the container has to have; null when the host's file decides at the time. */
  readonly checksum: string | null
}

/** Puts a file into a container. */
export const pctPush: Action<Params, Facts> = {
  name: 'pct_push',
  title: 'Put a file into a container',
  description:
    'Writes a text, or a file of the host, to a path inside a running container, replacing what is there.',
  targets: ['lxc'],
  params,
  baseRisk: 'config_mutation',
  timeLimit: 300,
  serialise: 'target',

  async preflight(world, target, wished) {
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await lookRunning(world, place.value)
    if (!guest.ok) return guest
    if (wished.hostFile !== undefined) {
      const found = await read(world, place.value.host, ['test', '-f', wished.hostFile])
      if (!found.ok) return found
      if (found.value.code !== 0)
        return fail(
          'file_not_found',
          `There is no file ${wished.hostFile} on ${place.value.host}.`,
          'Check the path.',
          { file: wished.hostFile }
        )
    }
    const checksum = wished.content === undefined ? null : sha256(wished.content)
    return ok({ place: place.value, params: wished, facts: { checksum } })
  },

  risk: () => 'config_mutation',
  reachesHost: ({ params: p }) => p.hostFile !== undefined,
  sentence: ({ place, params: p }) => `Write ${p.path} in container ${nameOf(place)}`,

  commands({ place, params: p }) {
    const id = vmidOf(place)
    const push = (file: string): Command => ({
      step: 'push',
      argv: [
        'pct',
        'push',
        id,
        file,
        p.path,
        '--perms',
        p.perms,
        ...(p.user === undefined ? [] : ['--user', p.user]),
        ...(p.group === undefined ? [] : ['--group', p.group])
      ]
    })
    if (p.content === undefined) return [push(p.hostFile ?? '')]
    // Its name cannot be guessed by whoever does not know the content.
    const file = `/tmp/nomos-${sha256(`${id} ${p.path} ${p.content}`).slice(0, 24)}`
    return [
      { step: 'write', argv: ['sh', '-c', 'umask 077; printf %s "$1" > "$2"', 'sh', p.content, file] },
      push(file),
      { step: 'clean', argv: ['rm', '-f', file] }
    ]
  },

  undo: ({ params: p }) => `The file ${p.path} is replaced; nothing keeps what was there before.`,

  /** `pct push` returns 0 even when it failed (pve-container `PVE/CLI/pct.pm`). */
  async verify(world, { place, params: p, facts }) {
    const there = await readAt(world, place, ['sha256sum', p.path])
    if (!there.ok) return there
    const expected =
      facts.checksum === null ? await read(world, place.host, ['sha256sum', p.hostFile ?? '']) : null
    if (expected && !expected.ok) return expected
    const wanted = facts.checksum ?? checksumIn(expected?.value.stdout ?? '')
    if (there.value.code !== 0)
      return proof(false, `${p.path} is not in the container.`, 'file_there', { is: 'absent' })
    return checksumIn(there.value.stdout) === wanted
      ? proof(true, `${p.path} is in the container with the right content.`, 'file_there', { is: 'right' })
      : proof(false, `${p.path} is in the container, but with another content.`, 'file_there', {
          is: 'other'
        })
  }
}

const checksumIn = (text: string): string | null => /^\\?([0-9a-f]{64})\b/m.exec(text)?.[1] ?? null
