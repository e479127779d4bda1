import { z } from 'zod'
import { fail, ok } from '../../base/result'
import { classifyArgv, classifyCommand, whatReads } from '../shell/classify'
import type { Action } from './action'
import { lookRunning } from './guest-state'
import { inside } from './inside'
import { findGuest, nameOf, vmidOf } from './place'
import { sayShort, shortCommand, type ShortCommand } from './short-command'

const params = z
  .strictObject({
    command: z
      .array(z.string().max(100_000))
      .min(1)
      .max(200)
      .optional()
      .describe('Program and arguments; no shell.'),
    script: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Or a script for sh, when pipes or several commands are needed.')
  })
  .refine(
    (p) => (p.command === undefined) !== (p.script === undefined),
    'give either command (a list of words) or script'
  )
type Params = z.output<typeof params>

const argvOf = ({ command, script }: Params): readonly string[] => command ?? ['sh', '-c', script ?? '']

const classOf = ({ command, script }: Params) =>
  command ? classifyArgv(command) : classifyCommand(script ?? '')

/** Runs a command inside a container. */
export const pctExec: Action<Params, ShortCommand> = {
  name: 'pct_exec',
  title: 'Run a command in a container',
  description:
    `Runs a program inside a running container, as root, without a terminal. ${whatReads} Prefer systemctl, ` +
    'apt_upgrade, pct_push where they fit.',
  targets: ['lxc'],
  params,
  baseRisk: 'read_only',
  timeLimit: 1800,
  serialise: 'target',

  async preflight(world, target, wished) {
    const { refused, refusedSaid } = classOf(wished)
    if (refused !== null)
      return fail('command_refused', refused, 'Do it in another way, step by step.', { reason: refusedSaid })
    const place = await findGuest(world, target)
    if (!place.ok) return place
    const guest = await lookRunning(world, place.value)
    return guest.ok ? ok({ place: place.value, params: wished, facts: shortCommand(argvOf(wished)) }) : guest
  },

  risk: ({ params: p }) => classOf(p).risk,
  riskReasons: ({ params: p }) => classOf(p),
  sentence: ({ place, facts }) => `Run ${sayShort(facts)} in container ${nameOf(place)}`,
  commands: ({ place, params: p }) => [{ step: 'run', argv: inside(vmidOf(place), argvOf(p)) }],
  undo: ({ params: p }) =>
    classOf(p).risk === 'read_only'
      ? 'Nothing to undo: it only reads.'
      : 'Depends on the command; a snapshot before it can be rolled back to.'
}
