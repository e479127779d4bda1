import type { Config } from '../src-preload/contract'
import { fail, messageOf, ok, type Result } from './base/result'
import type { Lab, LabOptions } from './lab/port'

/** Starts and stops the lab, and says what it lays over the configuration while it runs. */
export class LabControl {
  private lab: Lab | null = null
  private busy: Promise<Result<null>> | null = null

  constructor(
    private readonly options: LabOptions,
    private readonly changed: () => void
  ) {}

  get running(): boolean {
    return this.lab !== null
  }

  /** The lab's hosts and pages, and its scripted model where no own one is set up; null while it does not run. */
  layer(base: Config): Partial<Config> | null {
    if (!this.lab) return null
    const { hosts, model, webFetchAllow } = this.lab.config
    const allowPrivate = [...base.webFetch.allowPrivate, ...webFetchAllow]
    return { hosts, ...(model && !base.model && { model }), webFetch: { allowPrivate } }
  }

  /** Where the lab serves a page of the internet by itself; null for any other address. */
  rewrite(url: string): string | null {
    return this.lab?.rewrite(url) ?? null
  }

  start(): Promise<Result<null>> {
    this.busy ??= this.open().finally(() => (this.busy = null))
    return this.busy
  }

  async stop(): Promise<Result<null>> {
    await this.busy
    const lab = this.lab
    this.lab = null
    await lab?.stop()
    if (lab) this.changed()
    return ok(null)
  }

  private async open(): Promise<Result<null>> {
    if (this.lab) return ok(null)
    try {
      // A whole simulated cluster: read only when it is wanted.
      const { startLab } = await import('./lab/lab')
      this.lab = await startLab(this.options)
    } catch (error) {
      return fail(
        'lab_failed',
        `The lab could not be started: ${messageOf(error)}.`,
        'Is there room on the disk?',
        { why: messageOf(error) }
      )
    }
    this.changed()
    return ok(null)
  }
}
