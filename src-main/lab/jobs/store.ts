import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { seedWorld } from '../world/seed'
import type { ShellState } from '../shell/shell'
import type { World } from '../world/types'
import type { Timeline } from './evaluate'

type JobEnd =
  /** `late`: its time was over. */
  | { readonly kind: 'exit'; readonly code: number; readonly late?: boolean }
  | { readonly kind: 'lost' }
  | { readonly kind: 'interrupted' }

/** A job on a node: a script of which one statement after the other is played. JSON. */
export interface Job {
  readonly id: string
  readonly node: string
  readonly script: string
  readonly statements: number
  readonly startedAt: number
  /** When it is ended for taking too long; 0 for never. */
  readonly deadline: number
  /** Statements that are over. */
  done: number
  /** When the last of them was over. */
  clock: number
  shell: ShellState
  playing: { readonly startedAt: number; readonly timeline: Timeline; cursor: number } | null
  bytes: number
  end: JobEnd | null
}

/** Everything that survives: one file, so that what a job has done and where it stands change together. */
export interface Saved {
  readonly version: 1
  world: World
  /** By `node/id`. */
  jobs: Record<string, Job>
  /** How often each job was really started. */
  starts: Record<string, number>
}

export const keyOf = (node: string, id: string): string => `${node}/${id}`

/** The lab's state on disk: `lab.json`, and each job's output beside it. */
export class LabStore {
  private readonly file: string
  private readonly outputs: string

  constructor(folder: string) {
    this.file = join(folder, 'lab.json')
    this.outputs = join(folder, 'jobs')
    mkdirSync(this.outputs, { recursive: true, mode: 0o700 })
  }

  /** What was saved, or a newly made cluster. A file that cannot be read is kept aside. */
  load(now: number): Saved {
    if (!existsSync(this.file)) return fresh(now)
    try {
      const saved = JSON.parse(readFileSync(this.file, 'utf8')) as Saved
      if (saved.version !== 1) throw new Error('another version')
      this.dropUnsavedOutput(saved)
      return saved
    } catch {
      renameSync(this.file, `${this.file}.unreadable`)
      return fresh(now)
    }
  }

  save(saved: Saved): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(saved), { mode: 0o600 })
    renameSync(`${this.file}.new`, this.file)
  }

  private outputOf(key: string): string {
    return join(this.outputs, `${key.replace(/[^A-Za-z0-9.-]/g, '_')}.output`)
  }

  /** Output is written before the state that counts it; what is beyond the count will be played again. */
  private dropUnsavedOutput(saved: Saved): void {
    for (const [key, job] of Object.entries(saved.jobs)) {
      if (existsSync(this.outputOf(key))) truncateSync(this.outputOf(key), job.bytes)
    }
  }

  /** Writes output at its place, so that what a failed attempt has left there is overwritten. */
  write(key: string, offset: number, bytes: Buffer): void {
    const handle = openSync(this.outputOf(key), existsSync(this.outputOf(key)) ? 'r+' : 'w', 0o600)
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(handle, bytes, done, bytes.length - done, offset + done)
      }
    } finally {
      closeSync(handle)
    }
  }

  read(key: string, offset: number, max: number): Buffer {
    if (!existsSync(this.outputOf(key))) return Buffer.alloc(0)
    const handle = openSync(this.outputOf(key), 'r')
    try {
      const buffer = Buffer.alloc(Math.max(0, Math.min(max, 4 * 1024 * 1024)))
      return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, offset))
    } finally {
      closeSync(handle)
    }
  }

  removeOutput(key: string): void {
    rmSync(this.outputOf(key), { force: true })
  }
}

const fresh = (now: number): Saved => ({ version: 1, world: seedWorld(now), jobs: {}, starts: {} })

/** The disk or its file system refused; anything else that is thrown is a mistake of the lab's own. */
export const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'errno' in error
