import { own } from '../world/own'
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock'
import { newShellState } from '../shell/shell'
import { apply } from '../world/apply'
import { evaluateLine, evaluateStatement, statementsOf, type Timeline } from './evaluate'
import { isDiskError, type Job, keyOf, type LabStore, type Saved } from './store'

/** A command that somebody watches over a connection; it ends when the connection does. */
interface Watched {
  readonly startedAt: number
  readonly timeline: Timeline
  cursor: number
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly ended: (code: number) => void
}

/** `setTimeout` takes no more. */
const longestWait = 2 ** 31 - 1
const retryMs = 1000

/**
 * Plays everything that happens on the simulated cluster at its time: jobs, watched commands and what comes by
 * itself. Time is wall-clock time: what was due while the lab was not running happens when it starts again, once.
 */
export class Simulation {
  private readonly saved: Saved
  private readonly watched = new Set<Watched>()
  private readonly listeners = new Map<string, Set<() => void>>()
  private timer: NodeJS.Timeout | null = null
  private stopped = false
  /** The disk could not take the last state; it is tried again. */
  private unsaved = false

  constructor(
    private readonly store: LabStore,
    private readonly clock: Clock,
    readonly pace: number
  ) {
    this.saved = store.load(clock.now())
    this.advance()
    this.store.save(this.saved)
  }

  get world() {
    return this.saved.world
  }

  get starts(): Readonly<Record<string, number>> {
    return this.saved.starts
  }

  jobs(): readonly Job[] {
    this.advance()
    return Object.values(this.saved.jobs)
  }

  job(node: string, id: string): Job | null {
    this.advance()
    return this.saved.jobs[keyOf(node, id)] ?? null
  }

  /** Makes the job's folder and starts its script; false when the folder is there already. */
  start(node: string, id: string, timeoutSeconds: number, script: string): boolean {
    this.advance()
    const key = keyOf(node, id)
    if (this.saved.jobs[key]) return false
    const now = this.clock.now()
    const parsed = statementsOf(script)
    this.saved.jobs[key] = {
      id,
      node,
      script,
      statements: parsed.count,
      startedAt: now,
      deadline: timeoutSeconds > 0 ? now + timeoutSeconds * 1000 : 0,
      done: 0,
      clock: now,
      shell: newShellState(),
      playing: null,
      bytes: 0,
      end: null
    }
    this.saved.starts[id] = (own(this.saved.starts, id) ?? 0) + 1
    const job = this.saved.jobs[key]
    if (parsed.error !== null) {
      this.say(job, `sh: 1: Syntax error: ${parsed.error}\n`)
      job.end = { kind: 'exit', code: 2 }
    }
    try {
      this.store.save(this.saved)
    } catch (error) {
      // Nothing was started: as on a host whose disk is full, the folder is not left behind.
      delete this.saved.jobs[key]
      delete this.saved.starts[id]
      throw error
    }
    this.advance()
    return true
  }

  readOutput(job: Job, offset: number, max: number): Buffer {
    return this.store.read(keyOf(job.node, job.id), offset, Math.max(0, Math.min(max, job.bytes - offset)))
  }

  /** Sends a signal to the job's process group; TERM may be ignored by it, KILL leaves no exit code. */
  signal(job: Job, signal: 'TERM' | 'KILL'): void {
    this.advance()
    if (job.end) return
    if (signal === 'KILL') this.finish(job, { kind: 'lost' })
    else if (!ignoresTerm(job)) this.terminate(job, 143)
    this.keep()
    this.schedule()
  }

  remove(node: string, id: string): void {
    const key = keyOf(node, id)
    delete this.saved.jobs[key]
    this.store.removeOutput(key)
    this.keep()
    this.tell(key)
  }

  /** The node goes down and comes up: another boot id, running jobs are gone, guests with `onboot` start. */
  reboot(node: string): void {
    this.advance()
    const entry = own(this.world.nodes, node)
    if (!entry) return
    const now = this.clock.now()
    Object.assign(entry, { bootId: randomUUID(), bootedAt: now })
    delete this.world.machines[`host:${node}`]?.files['/run/reboot-required']
    for (const job of Object.values(this.saved.jobs)) {
      if (job.node === node && !job.end) this.finish(job, { kind: 'interrupted' })
    }
    for (const guest of Object.values(this.world.guests).filter((g) => g.node === node)) {
      const up = guest.config['onboot'] === '1'
      apply(this.world, {
        do: 'guest.set',
        vmid: guest.vmid,
        set: { status: 'stopped', startedAt: null, pid: null }
      })
      if (up)
        apply(this.world, {
          do: 'guest.set',
          vmid: guest.vmid,
          set: { status: 'running', startedAt: now, pid: 900 + guest.vmid }
        })
    }
    this.keep()
  }

  /** Runs a command line for somebody who watches. Throws `NeedsInput`; the answer ends it early, without a word. */
  watch(
    node: string,
    line: string,
    stdin: string | null,
    to: Pick<Watched, 'out' | 'err' | 'ended'>
  ): () => void {
    this.advance()
    const now = this.clock.now()
    const timeline = evaluateLine(
      { world: this.world, machine: `host:${node}`, at: now, pace: this.pace },
      line,
      stdin
    )
    const watched: Watched = { startedAt: now, timeline, cursor: 0, ...to }
    this.watched.add(watched)
    this.advance()
    return () => void this.watched.delete(watched)
  }

  /** Calls `listener` whenever the job has new output or has ended, until the returned function is called. */
  onJob(job: Job, listener: () => void): () => void {
    const key = keyOf(job.node, job.id)
    const all = this.listeners.get(key) ?? new Set()
    this.listeners.set(key, all.add(listener))
    return () => {
      all.delete(listener)
      // Whoever left before may have been replaced by others since.
      if (all.size === 0 && this.listeners.get(key) === all) this.listeners.delete(key)
    }
  }

  stop(): void {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
  }

  /** Lets everything happen that is due, in the order of its time, and keeps it before anyone is told. */
  private advance(): void {
    if (this.stopped) return
    const now = this.clock.now()
    const changed = new Set<string>()
    const told: (() => void)[] = []
    let dirty = false
    let stuck = false
    for (let next = this.next(); next !== null && next.at <= now; next = this.next()) {
      try {
        dirty = next.step(changed, told) || dirty
      } catch (error) {
        if (!isDiskError(error)) throw error
        // Its output could not be written: the disk is full. It happens later.
        stuck = true
        break
      }
    }
    if (dirty || this.unsaved) this.keep()
    this.unsaved ||= stuck
    for (const tell of told) tell()
    for (const key of changed) this.tell(key)
    this.schedule()
  }

  /** Writes the state; when the disk is full the simulation goes on and tries again, as its hosts would. */
  private keep(): void {
    try {
      this.store.save(this.saved)
      this.unsaved = false
    } catch (error) {
      if (!isDiskError(error)) throw error
      this.unsaved = true
    }
  }

  private schedule(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    if (this.stopped) return
    const at = this.unsaved ? this.clock.now() + retryMs : (this.next()?.at ?? Infinity)
    if (at === Infinity) return
    const wait = Math.min(longestWait, Math.max(0, at - this.clock.now()))
    this.timer = setTimeout(() => this.advance(), wait)
  }

  private tell(key: string): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener()
  }

  /** What happens next, and when. `step` answers whether something was changed that must be kept. */
  private next(): { at: number; step: (changed: Set<string>, told: (() => void)[]) => boolean } | null {
    let best: { at: number; step: (changed: Set<string>, told: (() => void)[]) => boolean } | null = null
    const offer = (at: number, step: (changed: Set<string>, told: (() => void)[]) => boolean) => {
      if (best === null || at < best.at) best = { at, step }
    }
    for (const entry of this.world.scheduled) {
      offer(entry.at, () => {
        this.world.scheduled = this.world.scheduled.filter((other) => other !== entry)
        apply(this.world, entry.change)
        return true
      })
    }
    for (const job of Object.values(this.saved.jobs)) {
      if (job.end) continue
      const at = dueOf(job)
      if (job.deadline > 0 && job.deadline < at) offer(job.deadline, (changed) => this.timeOut(job, changed))
      else offer(at, (changed) => this.stepJob(job, at, changed))
    }
    for (const watched of this.watched) {
      const event = watched.timeline.events[watched.cursor]
      offer(watched.startedAt + (event?.after ?? watched.timeline.length), (_, told) =>
        this.stepWatched(watched, told)
      )
    }
    return best
  }

  private stepWatched(watched: Watched, told: (() => void)[]): boolean {
    const event = watched.timeline.events[watched.cursor++]
    if (!event) {
      this.watched.delete(watched)
      told.push(() => watched.ended(watched.timeline.code))
      return false
    }
    const { out, err, change } = event
    if (out !== undefined) told.push(() => watched.out(out))
    if (err !== undefined) told.push(() => watched.err(err))
    if (change) apply(this.world, change)
    return change !== undefined
  }

  private stepJob(job: Job, at: number, changed: Set<string>): boolean {
    changed.add(keyOf(job.node, job.id))
    if (!job.playing) {
      if (job.done >= job.statements) {
        this.finish(job, { kind: 'exit', code: job.shell.status })
        return true
      }
      const setting = { world: this.world, machine: `host:${job.node}`, at, pace: this.pace }
      job.playing = {
        startedAt: at,
        timeline: evaluateStatement(setting, job.script, job.done, job.shell),
        cursor: 0
      }
      return true
    }
    const { timeline, cursor } = job.playing
    const event = timeline.events[cursor]
    if (event) {
      this.say(job, event.out ?? event.err ?? '')
      job.playing.cursor++
      if (event.change) apply(this.world, event.change)
      return true
    }
    Object.assign(job, { shell: timeline.shell, done: job.done + 1, clock: at, playing: null })
    if (timeline.exited) this.finish(job, { kind: 'exit', code: timeline.code })
    return true
  }

  private timeOut(job: Job, changed: Set<string>): boolean {
    changed.add(keyOf(job.node, job.id))
    this.terminate(job, 124, true)
    return true
  }

  /** TERM: what runs says and undoes what it can, then the script ends with that code. */
  private terminate(job: Job, code: number, late = false): void {
    const past = job.playing?.timeline.events.slice(0, job.playing.cursor) ?? []
    const killed = past.filter((event) => event.ifKilled !== undefined).at(-1)?.ifKilled
    if (killed) {
      this.say(job, killed.text)
      for (const change of killed.changes) apply(this.world, change)
    }
    this.finish(job, { kind: 'exit', code, late })
  }

  private finish(job: Job, end: NonNullable<Job['end']>): void {
    job.playing = null
    job.end = end
    queueMicrotask(() => this.tell(keyOf(job.node, job.id)))
  }

  private say(job: Job, text: string): void {
    if (text === '') return
    const bytes = Buffer.from(text)
    this.store.write(keyOf(job.node, job.id), job.bytes, bytes)
    job.bytes += bytes.length
  }
}

/** When the next thing of a job is due. */
function dueOf(job: Job): number {
  if (!job.playing) return job.clock
  const { startedAt, timeline, cursor } = job.playing
  return startedAt + (timeline.events[cursor]?.after ?? timeline.length)
}

const ignoresTerm = (job: Job): boolean => job.playing?.timeline.ignoresTerm ?? job.shell.ignoresTerm
