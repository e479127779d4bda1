import { z } from 'zod'
import type { CommandLine } from '../../src-preload/contract'
import { readJson } from '../base/json'
import { quoteArgv } from '../base/quote'
import { fail, ok, type Result } from '../base/result'
import type { ActionPlace, PreparedAction } from './actions/action'

/** What is run, as it was prepared and shown. */
export interface Recorded {
  readonly prepared: PreparedAction<unknown, unknown>
  readonly commands: readonly CommandLine[]
}

/** The columns that hold it, of an execution or of a plan's step. */
export interface RecordColumns {
  readonly params: string
  /** Place and facts. */
  readonly facts: string
  readonly commands: string
}

const paramsShape = z.record(z.string(), z.unknown())

const factsShape = z.looseObject({
  place: z.looseObject({
    target: z.looseObject({ kind: z.enum(['host', 'lxc', 'vm']), id: z.string() }),
    host: z.string(),
    node: z.string(),
    cluster: z.string(),
    vmid: z.number().nullable(),
    guestName: z.string().nullable()
  })
})

const commandsShape = z.array(
  z
    .looseObject({ step: z.string(), argv: z.array(z.string()).nonempty(), text: z.string() })
    // The argv is what is hashed, the text is what was shown and what runs.
    .refine(({ argv, text }) => !argv.some((word) => word.includes('\0')) && quoteArgv(argv) === text)
)

/**
 * Reads back what is run: whole, or not at all. A disk that fails can leave half of a row behind, and nothing is
 * approved or run on half of what was shown. Error: `record_damaged`.
 */
export function recordOf(columns: RecordColumns): Result<Recorded> {
  const params = paramsShape.safeParse(readJson(columns.params))
  const facts = factsShape.safeParse(readJson(columns.facts))
  const commands = commandsShape.safeParse(readJson(columns.commands))
  if (!params.success || !facts.success || !commands.success) return damaged
  const { place, facts: found } = facts.data
  return ok({
    prepared: { place: place as unknown as ActionPlace, params: params.data, facts: found },
    commands: commands.data
  })
}

const damaged: Result<never> = fail(
  'record_damaged',
  'The record of what would run is damaged. Nothing was run.',
  'Ask for it again: it is prepared anew then. Check the disk that holds the data of Nomos.'
)

/** Params as somebody asked for them, from a column that may be damaged. */
export function paramsOf(json: string): Result<Record<string, unknown>> {
  const params = paramsShape.safeParse(readJson(json))
  return params.success ? ok(params.data) : damaged
}
