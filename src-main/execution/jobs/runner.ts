import { setMaxListeners } from 'node:events'
import { isTerminal, type AppError } from '../../../src-preload/contract'
import { fail, messageOf, ok, type Result } from '../../base/result'
import type { Context } from '../context'
import type { ExecutionRow } from '../execution-row'
import type { FailureIn } from '../successor'
import { move, transition, update } from '../transitions'
import { Ending } from './ending'
import { Following } from './following'
import type { JobClient, JobState } from './job-client'
import type { Outputs } from './output'
import { Queue } from './queue'
import { Settling } from './settling'
import { Starting } from './starting'
import { patience, pollMs, type Turn } from './turn'
import { Wakers } from './wakers'

/** Seconds between the signal and the kill of a cancelled job. */
const cancelGrace = 10

/**
 * Carries executions from `approved` to their end: starts their jobs, follows them, finds them again after a lost
 * connection or a restart, and records how they ended. One loop per execution; all its state is in the tables.
 */
export class Runner {
  private readonly stopping = new AbortController()
  private readonly driving = new Map<string, Promise<void>>()
  private readonly queue: Queue
  private readonly wakers = new Wakers()
  private readonly starting: Starting
  private readonly following: Following
  private readonly settling: Settling

  constructor(
    private readonly context: Context,
    private readonly client: JobClient,
    outputs: Outputs,
    /** What a failure is told as, and what follows from it. */
    failureOf: (row: ExecutionRow, error: AppError) => Promise<FailureIn>
  ) {
    const { signal } = this.stopping
    // Each execution under way waits on it.
    setMaxListeners(0, signal)
    this.queue = new Queue(context)
    this.following = new Following(context, client, outputs, signal)
    const ending = new Ending(context, client, outputs, signal)
    this.settling = new Settling(context, ending, failureOf, (id) => this.run(id), signal)
    this.starting = new Starting(context, client, this.settling, this.wakers, signal)
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
          `Look at them on ${row.host}.`,
          { host: row.host }
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
      const wait = turn === 'later' ? pollMs : patience(failures++)
      await this.wakers.wait(host, wait, this.stopping.signal)
    }
  }

  /** Does the next thing: checks and begins it, or asks how its job stands. */
  private async turn(id: string): Promise<Turn> {
    const row = this.context.executions.row(id)
    if (!row || isTerminal(row.state)) return 'ended'
    if (row.state === 'approved') return this.starting.begin(id)
    if (row.state === 'starting' && this.starting.isFresh(id)) return this.starting.start(row)
    const seen = await this.client.state(row.host, id)
    if (!seen.ok) return seen.error
    return this.meet(row, seen.value)
  }

  private async meet(row: ExecutionRow, seen: JobState): Promise<Turn> {
    const { context } = this
    if (seen.kind === 'absent')
      return row.started_at === null ? this.starting.start(row) : this.settling.vanished(row)
    if (row.state !== 'running')
      transition(context, row.id, 'running', {
        startedAt: row.started_at ?? context.clock.now(),
        error: null
      })
    const now = context.executions.row(row.id)
    if (!now || isTerminal(now.state)) return 'ended'
    if (seen.kind !== 'running') return this.settling.finish(now, seen)
    if (now.cancel_requested_at !== null) {
      const cancelled = await this.client.cancel(now.host, now.id, cancelGrace)
      if (!cancelled.ok) return cancelled.error
      return cancelled.value === 'alive' ? 'later' : 'on'
    }
    const followed = await this.following.follow(now, seen.bytes)
    return followed.ok ? followed.value : followed.error
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
}
