import { ok, type Result } from '../../base/result'
import type { Context } from '../context'
import type { ExecutionRow } from '../execution-row'
import type { JobClient, JobState } from './job-client'
import type { Outputs, Recorder } from './output'
import { Progress } from './progress'
import { Slots } from './slots'

/** Sessions of a host that no follower takes, so that questions find one. Jobs not followed are asked every second. */
const sessionsForQuestions = 3

/** Milliseconds of silence after which a followed job is asked for beside its stream. */
const silenceMs = 20_000

/** Brings a job's output here while it is written. */
export class Following {
  private readonly slots = new Slots()

  constructor(
    private readonly context: Context,
    private readonly client: JobClient,
    private readonly outputs: Outputs,
    private readonly signal: AbortSignal
  ) {}

  /**
   * Follows the job to its end if there is a place for it, else reads what there is now (`bytes` in all).
   * Answers whether it is worth to look again at once.
   */
  async follow(row: ExecutionRow, bytes: number): Promise<Result<'on' | 'later'>> {
    const progress = new Progress(this.context, row)
    const recorder = await this.outputs.record(row.id, progress.steps, progress)
    const leave = this.slots.enter(row.host, this.client.sessions(row.host) - sessionsForQuestions)
    try {
      if (leave) return await this.toItsEnd(row, recorder)
      if (bytes <= recorder.size) return ok('later')
      const read = await this.client.read(
        row.host,
        row.id,
        recorder.size,
        bytes - recorder.size,
        (chunk) => recorder.write(chunk),
        this.signal
      )
      return read.ok ? ok('later') : read
    } finally {
      leave?.()
      await recorder.close()
      progress.close()
    }
  }

  private async toItsEnd(row: ExecutionRow, recorder: Recorder): Promise<Result<'on' | 'later'>> {
    const over = new AbortController()
    const stop = AbortSignal.any([this.signal, over.signal])
    const stopWatching = this.whenSilent(row, recorder, () => over.abort())
    const ended = await this.client.follow(
      row.host,
      row.id,
      recorder.size,
      (chunk) => recorder.write(chunk),
      stop
    )
    stopWatching()
    if (over.signal.aborted) return ok('on')
    if (!ended.ok) return ended
    // When the leader was killed, its children may go on; then there is nothing to follow.
    return ok(ended.value?.kind === 'running' ? 'later' : 'on')
  }

  /**
   * A stream that hangs although its job has ended is given up, and one of so many that no question gets through.
   * Silence alone is no reason.
   */
  private whenSilent(row: ExecutionRow, recorder: Recorder, giveUp: () => void): () => void {
    let before = recorder.size
    const timer = setInterval(() => {
      const silent = recorder.size === before
      before = recorder.size
      if (silent)
        void this.client.state(row.host, row.id).then((seen) => {
          if (isOver(seen) || isCrowdedOut(seen)) giveUp()
        })
    }, silenceMs)
    return () => clearInterval(timer)
  }
}

const isCrowdedOut = (seen: Result<JobState>): boolean => !seen.ok && seen.error.code === 'channel_refused'

const isOver = (seen: Result<JobState>): boolean => seen.ok && seen.value.kind !== 'running'
