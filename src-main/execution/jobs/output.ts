import { mkdirSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputSlice } from '../../../src-preload/contract'
import { crashPoint } from '../../base/crash-points'
import { redact } from '../../base/redact'
import type { Store } from '../../store/store'
import { plainText } from './plain-text'
import { RecentBytes } from './recent-bytes'
import { StepMarks, type OutputListener } from './step-marks'

/** Events of one execution: at most 20 a second, at most 64 KiB each. */
const eventEveryMs = 50
const eventBytes = 64 * 1024

/** What the model is given of an output. */
const modelHead = 4 * 1024
const modelTail = 8 * 1024

/** What verification and classification look at. */
const endHead = 8 * 1024
const endTail = 56 * 1024

/** The raw output of executions: one file each, byte for byte what the host's file holds. */
export class Outputs {
  private readonly folder: string

  constructor(
    home: string,
    private readonly store: Store
  ) {
    this.folder = join(home, 'outputs')
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
  }

  /** Bytes held; also the offset at which the host's file is read on. */
  size(id: string): number {
    return statSync(this.path(id), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Opens the file for more output. `steps` are the step names that may begin. */
  async record(id: string, steps: ReadonlySet<string>, listener: OutputListener): Promise<Recorder> {
    const before = this.size(id)
    const marks = new StepMarks(steps, listener)
    // A mark may have been cut in two by the end of the last recording.
    const from = Math.max(0, before - 256)
    const last = await this.bytes(id, from, before - from)
    marks.push(last.subarray(last.lastIndexOf('\n') + 1))
    const handle = await open(this.path(id), 'a', 0o600)
    return new Recorder(id, handle, before, marks, this.store)
  }

  /** A slice decoded as UTF-8 that begins and ends between characters; without offset the tail. */
  async slice(id: string, offset: number | undefined, limit: number): Promise<OutputSlice> {
    const total = this.size(id)
    const from = Math.min(offset ?? Math.max(0, total - limit), total)
    const bytes = await this.bytes(id, from, limit)
    const start = offset === undefined && from > 0 ? firstCharacter(bytes) : 0
    const end = from + bytes.length < total ? lastCharacterEnd(bytes) : bytes.length
    return {
      offset: from + start,
      nextOffset: from + end,
      totalBytes: total,
      text: bytes.subarray(start, end).toString('utf8')
    }
  }

  /** For the model: plain text without secrets, head and tail, with a note of what was cut. */
  async forModel(id: string): Promise<string> {
    return redact(await this.headAndTail(id, modelHead, modelTail))
  }

  /** For verification and classification: plain text, at most 64 KiB. */
  forEnd(id: string): Promise<string> {
    return this.headAndTail(id, endHead, endTail)
  }

  private async headAndTail(id: string, head: number, tail: number): Promise<string> {
    const total = this.size(id)
    if (total <= head + tail) return plainText((await this.bytes(id, 0, total)).toString('utf8'))
    const first = await this.bytes(id, 0, head)
    const last = await this.bytes(id, total - tail, tail)
    const shownHead = first.subarray(0, lastCharacterEnd(first))
    const shownTail = last.subarray(firstCharacter(last))
    const cut = total - shownHead.length - shownTail.length
    return [
      plainText(shownHead.toString('utf8')),
      `[… ${cut} bytes left out of ${total} …]`,
      plainText(shownTail.toString('utf8'))
    ].join('\n')
  }

  private async bytes(id: string, offset: number, length: number): Promise<Buffer> {
    if (length <= 0 || this.size(id) === 0) return Buffer.alloc(0)
    const handle = await open(this.path(id), 'r')
    try {
      const buffer = Buffer.alloc(Math.min(length, Math.max(0, this.size(id) - offset)))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  private path(id: string): string {
    if (!/^[0-9a-zA-Z-]{1,64}$/.test(id)) throw new RangeError(`not an execution's id: ${id.slice(0, 80)}`)
    return join(this.folder, id)
  }
}

/** Appends to one execution's output, finds its steps, and shows it as it grows. */
export class Recorder {
  private readonly pending = new RecentBytes(eventBytes)
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly id: string,
    private readonly handle: FileHandle,
    private total: number,
    private readonly marks: StepMarks,
    private readonly store: Store
  ) {}

  /** Bytes held so far. */
  get size(): number {
    return this.total
  }

  /** Resolves when the piece is on disk, so that whoever sends it waits for a slow disk. */
  async write(chunk: Buffer): Promise<void> {
    let written = 0
    while (written < chunk.length) {
      const { bytesWritten } = await this.handle.write(chunk, written)
      written += bytesWritten
      this.total += bytesWritten
    }
    crashPoint('after-output-write')
    this.marks.push(chunk)
    this.pending.add(chunk)
    this.timer ??= setTimeout(() => this.show(false), eventEveryMs)
  }

  async close(): Promise<void> {
    this.show(true)
    await this.handle.close()
  }

  private show(last: boolean): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const cut = this.pending.length >= eventBytes
    const newest = this.pending.bytes.subarray(-eventBytes)
    const shown = newest.subarray(cut ? firstCharacter(newest) : 0)
    const whole = last ? shown.length : lastCharacterEnd(shown)
    const text = shown.toString('utf8', 0, whole)
    this.pending.keep(shown.length - whole)
    if (text === '') return
    this.store.announce({
      type: 'execution.output',
      executionId: this.id,
      offset: this.total - shown.length,
      text,
      totalBytes: this.total
    })
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Where the first whole character begins. */
function firstCharacter(bytes: Buffer): number {
  let at = 0
  while (at < Math.min(3, bytes.length) && isContinuation(bytes[at])) at++
  return at
}

/** Where the last whole character ends: before a UTF-8 sequence that the piece cuts off. */
function lastCharacterEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    // Never nothing at all, so that a reader of slices always gets on.
    return length > back && bytes.length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
