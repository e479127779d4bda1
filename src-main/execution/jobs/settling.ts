import type { AppError } from '../../../src-preload/contract'
import { crashPoint } from '../../base/crash-points'
import type { Context } from '../context'
import type { ExecutionChange, ExecutionRow } from '../execution-row'
import { mayFollow } from '../states'
import type { FailureIn } from '../successor'
import { move, transition } from '../transitions'
import type { Ending, EndedJob } from './ending'
import { Progress } from './progress'
import type { Turn } from './turn'

/** Writes how an execution has ended, and what follows from it. */
export class Settling {
  constructor(
    private readonly context: Context,
    private readonly ending: Ending,
    /** What a failure is told as, and what follows from it. */
    private readonly failureOf: (row: ExecutionRow, error: AppError) => Promise<FailureIn>,
    /** Takes up what a failure has brought. */
    private readonly run: (id: string) => void,
    private readonly stopping: AbortSignal
  ) {}

  /** Its job is over: reads what is missing of the output, judges it, and writes the end. */
  async finish(row: ExecutionRow, seen: EndedJob): Promise<Turn> {
    const progress = new Progress(this.context, row)
    const fetched = await this.ending.fetch(row, seen.bytes, progress)
    progress.close()
    if (!fetched.ok) return fetched.error
    const end = await this.ending.judge(this.context.executions.row(row.id) ?? row, seen)
    if (!end.ok) return end.error
    if (this.stopping.aborted) return 'ended'
    const { state, change, output } = end.value
    if (state === 'failed') return this.fails(row, change, output)
    crashPoint('before-terminal-commit')
    transition(this.context, row.id, state, change, output)
    crashPoint('after-terminal-commit')
    return 'ended'
  }

  /** It was started, and its host has no record of it any more. */
  vanished(row: ExecutionRow): Turn {
    transition(this.context, row.id, 'lost', {
      error: {
        code: 'job_vanished',
        message: `The record of this job is gone from ${row.host}: how it ended is not known.`,
        hint: 'Look at the state of the target before doing it again.',
        data: { host: row.host }
      }
    })
    return 'ended'
  }

  /** A failure may bring the same request again, in one transaction with it. */
  async fails(row: ExecutionRow, change: ExecutionChange, output = ''): Promise<Turn> {
    const failureIn = change.error && (await this.failureOf(row, change.error))
    if (this.stopping.aborted) return 'ended'
    this.context.store.transact((tx) => {
      const now = this.context.executions.row(row.id)
      if (!now || !mayFollow(now.state, 'failed')) return
      const isWanted = now.cancel_requested_at === null
      const follows = isWanted && failureIn ? failureIn(tx) : { error: change.error, startNext: null }
      const { error = null, startNext } = follows
      move(this.context, tx, row.id, 'failed', { ...change, error }, output)
      crashPoint('before-terminal-commit')
      if (startNext !== null)
        tx.afterCommit(() => {
          crashPoint('before-successor-start')
          this.run(startNext)
        })
    })
    crashPoint('after-terminal-commit')
    return 'ended'
  }
}
