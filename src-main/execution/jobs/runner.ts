import { setMaxListeners } from 'node:events'
import {
  isTerminal,
  type AppError,
  type ExecutionState,
  type ExecutionView
} from '../../../src-preload/contract'
import { crashPoint } from '../../base/crash-points'
import { fail, messageOf, ok, type Result } from '../../base/result'
import { findAction } from '../actions/registry'
import type { Context } from '../context'
import { mayStart, preflightAgain } from '../recheck'
import type { ExecutionChange, ExecutionRow } from '../execution-row'
import { mayFollow } from '../states'
import type { FailureIn } from '../successor'
import { move, update } from '../transitions'
import { Ending, type EndedJob } from './ending'
import { Following } from './following'
import { jobScript, type JobClient, type JobState } from './job-client'
import type { Outputs } from './output'
import { Progress } from './progress'
import { Queue } from './queue'
import { Wakers } from './wakers'

/** Seconds between the signal and the kill of a cancelled job. */
const cancelGrace = 10

/** Milliseconds between looks at a job that cannot be followed. */
const pollMs = 1000

/** Waits between tries while a host cannot be asked; a connection that comes back ends the wait. */
const patience = [1000, 2000, 5000, 10_000, 30_000, 60_000]

/** Tries of a preflight that meets a broken connection, before an execution fails without having run. */
const preflightTries = 4

/** What an execution's turn has brought: it has ended, go on at once, go on later, or the host could not be asked. */
type Turn = 'ended' | 'on' | 'later' | AppError

/**
 * Carries executions from `approved` to their end: starts their jobs, follows them, finds them again after a lost
 * connection or a restart, and records how they ended. One loop per execution; all its state is in the tables.
 */
export class Runner {
  private readonly stopping = new AbortController()
  private readonly driving = new Map<string, Promise<void>>()
  private readonly queue: Queue
  /** Executions that have just become `starting`: their job cannot be on the host yet. */
  private readonly fresh = new Set<string>()
  private readonly wakers = new Wakers()
  private readonly following: Following
  private readonly ending: Ending

  constructor(
    private readonly context: Context,
    private readonly client: JobClient,
    outputs: Outputs,
    /** What a failure is told as, and what follows from it. */
    private readonly failureOf: (row: ExecutionRow, error: AppError) => Promise<FailureIn>
  ) {
    // Each execution under way waits on it.
    setMaxListeners(0, this.stopping.signal)
    this.queue = new Queue(context)
    this.following = new Following(context, client, outputs, this.stopping.signal)
    this.ending = new Ending(context, client, outputs, this.stopping.signal)
  }

  /** Takes an execution that is approved, or that has a job on its host, and carries it to its end. */
  run(id: string): void {
    if (this.driving.has(id) || this.stopping.signal.aborted) return
    const done = this.drive(id)
      .catch((error: unknown) => this.context.log.log('error', 'execution', messageOf(error), { id }))
      .finally(() => this.driving.delete(id))
    this.driving.set(id, done)
  }

  /** Ends waits: for one host when it can be reached again, for all after sleep. */
  wake(host?: string): void {
    this.wakers.wake(host)
  }

  /** Ends the wait for a lock, and signals the job on its host. Answers when it is known to be gone. */
  async cancel(id: string): Promise<Result<null>> {
    this.queue.leave(id)
    const row = this.context.executions.row(id)
    if (!row || isTerminal(row.state)) return ok(null)
    const gone = await this.client.cancel(row.host, id, cancelGrace)
    this.wakers.wake(row.host)
    if (!gone.ok) return gone
    return gone.value === 'alive'
      ? fail(
          'cancel_failed',
          `${row.title}: some of its processes could not be ended.`,
          `Look at them on ${row.host}.`
        )
      : ok(null)
  }

  /** Stops following. Jobs go on. */
  async close(): Promise<void> {
    this.stopping.abort()
    this.queue.close()
    this.wakers.wake()
    await Promise.all(this.driving.values())
  }

  private async drive(id: string): Promise<void> {
    const row = this.context.executions.row(id)
    if (!row || isTerminal(row.state)) return
    const leave = await this.queue.enter(row)
    try {
      if (leave) await this.carry(id, row.host)
    } finally {
      leave?.()
    }
  }

  /** From `approved` to `starting`, if what was approved still stands. */
  private async begin(id: string): Promise<Turn> {
    const checked = await this.check(id)
    if (this.stopping.signal.aborted) return 'ended'
    const row = this.context.executions.row(id)
    if (row?.state !== 'approved') return 'ended'
    if (!checked.ok) {
      await this.fails(row, { error: checked.error })
      return 'ended'
    }
    const deadlineAt = this.context.clock.now() + timeLimitOf(row) * 1000
    crashPoint('before-starting-commit')
    const starting = this.to(id, 'starting', { deadlineAt })
    crashPoint('after-starting-commit')
    if (!starting) return 'ended'
    this.fresh.add(id)
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
      if (
        again.ok ||
        !isPassing(again.error) ||
        attempt + 1 >= preflightTries ||
        this.stopping.signal.aborted
      )
        return again
      await this.wakers.wait(row.host, patience[attempt] ?? pollMs, this.stopping.signal)
    }
  }

  /**
   * One turn after the other until it has ended. A turn that fails for whatever reason is tried again later, also when
   * the failure itself cannot be written: the disk may be full, and the job is on its host all the same.
   */
  private async carry(id: string, host: string): Promise<void> {
    let failures = 0
    while (!this.stopping.signal.aborted) {
      const turn = await this.turn(id).catch((error: unknown): AppError => {
        this.context.log.log('error', 'execution', `turn failed: ${messageOf(error)}`, { id })
        return { code: 'internal', message: messageOf(error) }
      })
      if (turn === 'ended' || this.stopping.signal.aborted) return
      if (turn === 'on' || turn === 'later') failures = 0
      if (turn === 'on') continue
      if (turn !== 'later') this.inDoubt(id, turn)
      const wait = turn === 'later' ? pollMs : (patience[failures++] ?? 60_000)
      await this.wakers.wait(host, wait, this.stopping.signal)
    }
  }

  /** Does the next thing: checks and begins it, or asks how its job stands. */
  private async turn(id: string): Promise<Turn> {
    const row = this.context.executions.row(id)
    if (!row || isTerminal(row.state)) return 'ended'
    if (row.state === 'approved') return this.begin(id)
    if (row.state === 'starting' && this.fresh.delete(id)) return this.start(row)
    const seen = await this.client.state(row.host, id)
    if (!seen.ok) return seen.error
    return this.meet(row, seen.value)
  }

  private async meet(row: ExecutionRow, seen: JobState): Promise<Turn> {
    if (seen.kind === 'absent') return row.started_at === null ? this.start(row) : this.vanished(row)
    if (row.state !== 'running')
      this.to(row.id, 'running', { startedAt: row.started_at ?? this.context.clock.now(), error: null })
    const now = this.context.executions.row(row.id)
    if (!now || isTerminal(now.state)) return 'ended'
    if (seen.kind !== 'running') return this.finish(now, seen)
    if (now.cancel_requested_at !== null) {
      const cancelled = await this.client.cancel(now.host, now.id, cancelGrace)
      if (!cancelled.ok) return cancelled.error
      return cancelled.value === 'alive' ? 'later' : 'on'
    }
    const followed = await this.following.follow(now, seen.bytes)
    return followed.ok ? followed.value : followed.error
  }

  /** Starts the job, under its own id: the host starts it once, however often it is asked. */
  private async start(row: ExecutionRow): Promise<Turn> {
    if (row.cancel_requested_at !== null) {
      this.to(row.id, 'cancelled')
      return 'ended'
    }
    const isLate = row.deadline_at !== null && this.context.clock.now() > row.deadline_at
    const may = isLate ? tooLate(row) : mayStart(this.context, row)
    if (!may.ok) {
      this.to(row.id, 'failed', { error: may.error })
      return 'ended'
    }
    if (row.state === 'unknown') this.to(row.id, 'starting')
    const started = await this.client.start(row.host, row.id, timeLimitOf(row), jobScript(may.value.commands))
    if (this.stopping.signal.aborted) return 'ended'
    if (!started.ok) {
      if (started.error.code !== 'job_refused' && started.error.code !== 'sudo_needs_password')
        return started.error
      this.to(row.id, 'failed', { error: started.error })
      return 'ended'
    }
    crashPoint('after-job-start')
    this.to(row.id, 'running', { startedAt: this.context.clock.now(), error: null })
    crashPoint('after-running-commit')
    return 'on'
  }

  private vanished(row: ExecutionRow): Turn {
    this.to(row.id, 'lost', {
      error: {
        code: 'job_vanished',
        message: `The record of this job is gone from ${row.host}: how it ended is not known.`,
        hint: 'Look at the state of the target before doing it again.'
      }
    })
    return 'ended'
  }

  private async finish(row: ExecutionRow, seen: EndedJob): Promise<Turn> {
    const progress = new Progress(this.context, row)
    const fetched = await this.ending.fetch(row, seen.bytes, progress)
    progress.close()
    if (!fetched.ok) return fetched.error
    const end = await this.ending.judge(this.context.executions.row(row.id) ?? row, seen)
    if (!end.ok) return end.error
    if (this.stopping.signal.aborted) return 'ended'
    const { state, change, output } = end.value
    crashPoint('before-terminal-commit')
    if (state === 'failed') await this.fails(row, change, output)
    else this.to(row.id, state, change, output)
    crashPoint('after-terminal-commit')
    return 'ended'
  }

  /** A failure may bring the same request again, in one transaction with it. */
  private async fails(row: ExecutionRow, change: ExecutionChange, output = ''): Promise<void> {
    if (!change.error) return void this.to(row.id, 'failed', change, output)
    const failureIn = await this.failureOf(row, change.error)
    this.context.store.transact((tx) => {
      const now = this.context.executions.row(row.id)
      if (!now || !mayFollow(now.state, 'failed')) return
      const isWanted = now.cancel_requested_at === null
      const { error, startNext } = isWanted ? failureIn(tx) : { error: change.error, startNext: null }
      move(this.context, tx, row.id, 'failed', { ...change, error }, output)
      if (startNext !== null) tx.afterCommit(() => this.run(startNext))
    })
  }

  /** The host cannot be asked: say so and watch on. Nothing is concluded from it. */
  private inDoubt(id: string, error: AppError): void {
    try {
      this.context.store.transact((tx) => {
        const row = this.context.executions.row(id)
        if (row?.state === 'starting' || row?.state === 'running')
          move(this.context, tx, id, 'unknown', { error })
        else if (row?.state === 'unknown') update(this.context, tx, id, { error })
      })
    } catch (failure) {
      this.context.log.log('error', 'execution', `doubt not written: ${messageOf(failure)}`, { id })
    }
  }

  private to(
    id: string,
    state: ExecutionState,
    change: ExecutionChange = {},
    output = ''
  ): ExecutionView | null {
    return this.context.store.transact((tx) => move(this.context, tx, id, state, change, output))
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
    'Check the connection to the host, then request it again.'
  )

/** Failures of the way to the host that another try may not meet. */
const isPassing = (error: AppError): boolean =>
  ['host_unreachable', 'connection_lost', 'exec_timeout', 'channel_refused'].includes(error.code)
