import type { AppError, TerminalState, Verification } from '../../../src-preload/contract'
import { ok, type Result } from '../../base/result'
import type { Action, JobEnd, PreparedAction } from '../actions/action'
import { findAction } from '../actions/registry'
import type { Context } from '../context'
import { classifyFailure } from '../errors'
import { worldOf } from '../prepare'
import type { ExecutionChange, ExecutionRow } from '../execution-row'
import { recordOf } from '../record'
import type { JobClient } from './job-client'
import type { Outputs } from './output'
import type { Progress } from './progress'

/** How a job that is over stands on its host. */
export type EndedJob =
  | { readonly kind: 'exit'; readonly code: number; readonly late: boolean; readonly bytes: number }
  | { readonly kind: 'lost' | 'interrupted'; readonly bytes: number }

export interface Judgement {
  readonly state: TerminalState
  readonly change: ExecutionChange
}

/** A judgement with what the job printed: head and tail, plain text. */
export interface JudgedEnd extends Judgement {
  readonly output: string
}

/** Milliseconds that a result waits for the view of the fleet to be read anew. */
const refreshMs = 5000

/** From the end of a job to the end of its execution: the rest of the output, what it means, and whether it is true. */
export class Ending {
  constructor(
    private readonly context: Context,
    private readonly client: JobClient,
    private readonly outputs: Outputs,
    private readonly signal: AbortSignal
  ) {}

  /** Reads what is missing of the output, so that the file is whole before the result is known. */
  async fetch(row: ExecutionRow, bytes: number, progress: Progress): Promise<Result<null>> {
    if (this.outputs.size(row.id) >= bytes) return ok(null)
    const recorder = await this.outputs.record(row.id, progress.steps, progress)
    try {
      while (recorder.size < bytes) {
        const before = recorder.size
        const missing = bytes - before
        const read = await this.client.read(
          row.host,
          row.id,
          before,
          missing,
          (chunk) => recorder.write(chunk),
          this.signal
        )
        if (!read.ok) return read
        if (recorder.size === before) break
      }
      return ok(null)
    } finally {
      await recorder.close()
    }
  }

  /** What the end means. An error means that the host could not be asked for the proof: try again. */
  async judge(row: ExecutionRow, seen: EndedJob): Promise<Result<JudgedEnd>> {
    const exitCode = seen.kind === 'exit' ? seen.code : null
    const end: JobEnd = { exitCode, output: await this.outputs.forEnd(row.id), step: row.step }
    const judged = await this.meaning(row, seen, end)
    if (!judged.ok) return judged
    if (row.risk !== 'read_only') await this.refreshFleet(row.host)
    const { state, change } = judged.value
    const facts: ExecutionChange = { exitCode, outputBytes: this.outputs.size(row.id), error: null }
    return ok({
      state,
      change: { ...facts, ...(state === 'succeeded' && { percent: null }), ...change },
      output: end.output
    })
  }

  private async meaning(row: ExecutionRow, seen: EndedJob, end: JobEnd): Promise<Result<Judgement>> {
    const run = whatRan(row)
    if (seen.kind !== 'exit') return ok(await this.without(row, seen.kind, run, end))
    if (seen.code === 0 || run?.action?.alreadyDone?.(run.prepared, end)) return this.proven(run, end)
    if (row.cancel_requested_at !== null)
      return ok({ state: 'cancelled', change: await this.lookBack(run, end) })
    if (seen.late)
      return ok({
        state: 'timed_out',
        change: {
          error: {
            code: 'timed_out',
            message: `It ran longer than its ${run?.action?.timeLimit ?? 0} seconds and was ended.`,
            hint: 'Look at what it has done before doing it again.',
            ...(run?.action && { data: { seconds: run.action.timeLimit } })
          },
          ...(await this.lookBack(run, end))
        }
      })
    const error = run?.action?.classify?.(run.prepared, end) ?? classifyFailure(end.output, end.exitCode)
    // A creation can report failure and leave something behind all the same (ZFS mounts, hooks).
    const left = run?.action?.creates ? await this.lookBack(run, end) : {}
    return ok({ state: 'failed', change: { error, ...left } })
  }

  /** Exit 0 is no proof: the state is read back. */
  private async proven(run: WhatRan | null, end: JobEnd): Promise<Result<Judgement>> {
    if (!run) return ok(unproven('It could not be read back: the record of what ran is damaged.'))
    const { action, prepared } = run
    if (!action?.verify)
      return ok({
        state: 'succeeded',
        change: {
          verification: {
            ...{ ok: true, summary: 'It ended with exit code 0.' },
            said: { id: 'proof.exit_zero', facts: {} }
          }
        }
      })
    const verified = await action.verify(worldOf(this.context), prepared, end)
    if (!verified.ok) {
      if (isAway(verified.error)) return verified
      return ok(unproven(`It could not be read back: ${verified.error.message}`, verified.error))
    }
    const verification = verified.value
    return ok(
      verification.ok
        ? { state: 'succeeded', change: { verification } }
        : {
            ...unproven(verification.summary),
            change: { ...unproven(verification.summary).change, verification }
          }
    )
  }

  private async without(
    row: ExecutionRow,
    kind: 'lost' | 'interrupted',
    run: WhatRan | null,
    end: JobEnd
  ): Promise<Judgement> {
    const error: AppError =
      kind === 'interrupted'
        ? {
            code: 'host_restarted',
            message: `${row.host} was restarted while this ran.`,
            hint: 'Look at the state of the target before doing it again.',
            data: { host: row.host }
          }
        : {
            code: 'job_lost',
            message: 'It ended without leaving a result: it was killed, or the host ran out of memory.',
            hint: "Look at the state of the target and at the host's journal before doing it again."
          }
    return { state: kind, change: { error, ...(await this.lookBack(run, end)) } }
  }

  /** How things stand after an end whose effect is not known; as well as it can be read. */
  private async lookBack(run: WhatRan | null, end: JobEnd): Promise<{ verification?: Verification }> {
    const seen = await run?.action?.verify?.(worldOf(this.context, { looks: 1 }), run.prepared, end)
    return seen?.ok ? { verification: seen.value } : {}
  }

  private async refreshFleet(host: string): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, refreshMs).unref())
    await Promise.race([this.context.fleet.refresh(host), late])
  }
}

interface WhatRan {
  /** A newer version may not know the action any more; then the exit code is all there is. */
  readonly action: Action | null
  readonly prepared: PreparedAction<unknown, unknown>
}

/** Null when its record is damaged: nothing can be read back then. */
function whatRan(row: ExecutionRow): WhatRan | null {
  const action = findAction(row.action)
  const record = recordOf(row)
  return record.ok ? { action: action.ok ? action.value : null, prepared: record.value.prepared } : null
}

const unproven = (summary: string, cause?: AppError): Judgement => ({
  state: 'failed',
  change: {
    error: {
      code: 'verification_failed',
      message: `The commands ended without an error, but what they should have done is not so: ${summary}`,
      hint: cause?.hint ?? 'Look at the state and at the output, then decide what to do.',
      ...(cause && { data: { cause } })
    }
  }
})

/** The host could not be asked at this moment, which says nothing about what it would have answered. */
const isAway = (error: AppError): boolean =>
  ['host_unreachable', 'connection_lost', 'exec_timeout', 'channel_refused', 'aborted'].includes(error.code)
