import { z } from 'zod'
import { fail, ok } from '../../base/result'
import { classifyCommand, whatReads } from '../shell/classify'
import type { Action } from './action'
import { findPlace } from './place'
import { sayShort, shortScript, type ShortCommand } from './short-command'

const params = z.strictObject({
  command: z.string().min(1).max(100_000).describe('A command line for sh.')
})
type Params = z.output<typeof params>

/** Runs a free command on a host. */
export const run: Action<Params, ShortCommand> = {
  name: 'run',
  title: 'Run a command on a host',
  description: `Runs a command line on a host. ${whatReads} Use it only where no other action and no tool fits.`,
  targets: ['host'],
  params,
  baseRisk: 'read_only',
  timeLimit: 1800,
  serialise: 'target',

  async preflight(world, target, wished) {
    const { refused, refusedSaid } = classifyCommand(wished.command)
    if (refused !== null)
      return fail('command_refused', refused, 'Do it in another way, step by step.', { reason: refusedSaid })
    const place = await findPlace(world, target)
    return place.ok ? ok({ place: place.value, params: wished, facts: shortScript(wished.command) }) : place
  },

  risk: ({ params: p }) => classifyCommand(p.command).risk,
  riskReasons: ({ params: p }) => classifyCommand(p.command),
  sentence: ({ place, facts }) => `Run ${sayShort(facts)} on ${place.host}`,
  commands: ({ params: p }) => [{ step: 'run', argv: ['sh', '-c', p.command] }],
  undo: ({ params: p }) =>
    classifyCommand(p.command).risk === 'read_only'
      ? 'Nothing to undo: it only reads.'
      : 'Depends on the command.'
}
