import type { AppError } from '../../../src-preload/contract'
import { crashPoint } from '../../base/crash-points'
import { fail, ok, type Result } from '../../base/result'
import { findAction } from '../actions/registry'
import type { Context } from '../context'
import type { ExecutionRow } from '../execution-row'
import { mayStart, preflightAgain } from '../recheck'
import { transition } from '../transitions'
import { jobScript, type JobClient } from './job-client'
import type { Settling } from './settling'
import { patience, type Turn } from './turn'
import type { Wakers } from './wakers'

/** Tries of a preflight that meets a broken connection, before an execution fails without having run. */
const preflightTries = 4

/** From `approved` to a job on the host: nothing starts that does not stand as it was approved. */
export class Starting {
  /** Executions that have just become `starting`: their job cannot be on the host yet. */
  private readonly fresh = new Set<string>()

  constructor(
    private readonly context: Context,
    private readonly client: JobClient,
    private readonly settling: Settling,
    private readonly wakers: Wakers,
    private readonly stopping: AbortSignal
  ) {}

  /** From `approved` to `starting`, if what was approved still stands. */
  async begin(id: string): Promise<Turn> {
    const checked = await this.check(id)
    if (this.stopping.aborted) return 'ended'
    const row = this.context.executions.row(id)
    if (row?.state !== 'approved') return 'ended'
    if (!checked.ok) return this.settling.fails(row, { error: checked.error })
    const deadlineAt = this.context.clock.now() + timeLimitOf(row) * 1000
    crashPoint('before-starting-commit')
    const starting = transition(this.context, id, 'starting', { deadlineAt })
    crashPoint('after-starting-commit')
    if (!starting) return 'ended'
    this.fresh.add(id)
    return 'on'
  }

  /** True once for an execution that has become `starting` just now: its host need not be asked for its job. */
  isFresh(id: string): boolean {
    return this.fresh.delete(id)
  }

  /** Starts the job, under its own id: the host starts it once, however often it is asked. */
  async start(row: ExecutionRow): Promise<Turn> {
    const { context } = this
    if (row.cancel_requested_at !== null) {
      transition(context, row.id, 'cancelled')
      return 'ended'
    }
    const isLate = row.deadline_at !== null && context.clock.now() > row.deadline_at
    const may = isLate ? tooLate(row) : mayStart(context, row)
    if (!may.ok) return this.settling.fails(row, { error: may.error })
    if (row.state === 'unknown') transition(context, row.id, 'starting')
    const script = jobScript(may.value.commands)
    const started = await this.client.start(row.host, row.id, timeLimitOf(row), script)
    if (this.stopping.aborted) return 'ended'
    if (!started.ok)
      return isRefusal(started.error) ? this.settling.fails(row, { error: started.error }) : started.error
    crashPoint('after-job-start')
    transition(context, row.id, 'running', { startedAt: context.clock.now(), error: null })
    crashPoint('after-running-commit')
    return 'on'
  }

  private async check(id: string): Promise<Result<null>> {
    for (let attempt = 0; ; attempt++) {
      const row = this.context.executions.row(id)
      if (!row) return fail('execution_not_found', 'There is no such execution.')
      const may = mayStart(this.context, row)
      if (!may.ok) return may
      if (row.risk === 'read_only') return ok(null)
      const again = await preflightAgain(this.context, row)
      if (again.ok || !isPassing(again.error) || attempt + 1 >= preflightTries || this.stopping.aborted)
        return again
      await this.wakers.wait(row.host, patience(attempt), this.stopping)
    }
  }
}

const timeLimitOf = (row: ExecutionRow): number => {
  const action = findAction(row.action)
  return action.ok ? action.value.timeLimit : 600
}

const tooLate = (row: ExecutionRow): Result<never> =>
  fail(
    'start_timed_out',
    `${row.host} could not be reached within the time limit. Nothing was run.`,
    'Check the connection to the host, then request it again.',
    { host: row.host }
  )

/** The host was asked and will not: nothing runs there. */
const isRefusal = (error: AppError): boolean => ['job_refused', 'sudo_needs_password'].includes(error.code)

/** Failures of the way to the host that another try may not meet. */
const isPassing = (error: AppError): boolean =>
  ['host_unreachable', 'connection_lost', 'exec_timeout', 'channel_refused'].includes(error.code)
