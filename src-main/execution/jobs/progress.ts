import { crashPoint } from '../../base/crash-points'
import { messageOf } from '../../base/result'
import { findAction } from '../actions/registry'
import type { Context } from '../context'
import { shownCommands, type ExecutionRow } from '../execution-row'
import { update } from '../transitions'
import type { OutputListener } from './step-marks'

/** Signs of progress are written at most this often; each is a commit. */
const writeEveryMs = 250

/** Turns an execution's output into its step and its per cent. */
export class Progress implements OutputListener {
  readonly steps: ReadonlySet<string>
  readonly onLine?: (line: string) => void
  private step: string | null
  private percent: number | null
  private written: string
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly context: Context,
    private readonly row: ExecutionRow
  ) {
    const action = findAction(row.action)
    this.steps = new Set(shownCommands(row.commands).map(({ step }) => step))
    if (action.ok && action.value.progress)
      this.onLine = (line) => this.sawPercent(action.value.progress?.(line) ?? null)
    this.step = row.step
    this.percent = row.percent
    this.written = this.key()
  }

  onStep(step: string): void {
    this.step = step
    this.percent = null
    this.later()
  }

  private sawPercent(percent: number | null): void {
    if (percent === null || percent === this.percent) return
    this.percent = percent
    this.later()
  }

  /** Writes what is not written yet. */
  close(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.write()
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null
      this.write()
    }, writeEveryMs)
  }

  private write(): void {
    const key = this.key()
    if (key === this.written) return
    const { context, step, percent } = this
    try {
      context.store.transact((tx) => {
        update(context, tx, this.row.id, { step, percent })
        crashPoint('before-progress-commit')
      })
      crashPoint('after-progress-commit')
      this.written = key
    } catch (error) {
      // A sign of progress is no reason to stop following; the next one is written again.
      context.log.log('warn', 'execution', `progress not written: ${messageOf(error)}`, { id: this.row.id })
    }
  }

  private key(): string {
    return `${this.step ?? ''} ${this.percent ?? ''}`
  }
}
