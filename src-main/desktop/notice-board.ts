import type { Config, NomosEvent, Place } from '../../src-preload/contract'
import type { Executions } from '../execution/port'
import { merge, noticeOf, type Notice } from './notices'
import type { Speech } from './speech'

/** How long what comes together is gathered before it is told as one. Milliseconds. */
const gatherMs = 1000

export interface NoticeBoardOptions {
  readonly executions: Executions
  readonly switches: () => Config['notifications']
  readonly texts: () => Speech
  /** True while the operator looks at the place: the window tells them itself. */
  readonly isSeen: (place: Place) => boolean
  readonly show: (notice: Notice) => void
  /** What the notice was about is decided: it has nothing more to say. */
  readonly withdraw: (key: string) => void
}

/** Decides what is told, when, and how much of it at once. */
export class NoticeBoard {
  /** In order; an old one is forgotten, so that a long run of the app does not fill its memory. */
  private readonly told = new Set<string>()
  private waiting = new Map<string, Notice>()

  constructor(private readonly options: NoticeBoardOptions) {}

  onEvent(event: NomosEvent): void {
    if (event.type === 'approval.changed' && event.approval.state !== 'awaiting_approval')
      this.forget(`approval:${event.approval.id}`)
    const notice = noticeOf(event, this.options.executions, this.options.texts())
    if (notice === null || !this.options.switches()[notice.kind] || !this.isNew(notice.key)) return
    this.waiting.set(notice.key, notice)
    if (this.waiting.size === 1) setTimeout(() => this.tell(), gatherMs)
  }

  private forget(key: string): void {
    this.waiting.delete(key)
    this.options.withdraw(key)
  }

  private isNew(key: string): boolean {
    if (this.told.has(key)) return false
    this.told.add(key)
    const [oldest] = this.told
    if (this.told.size > 5000 && oldest !== undefined) this.told.delete(oldest)
    return true
  }

  private tell(): void {
    const [first, ...others] = [...this.waiting.values()].filter(({ place }) => !this.options.isSeen(place))
    this.waiting = new Map()
    if (first !== undefined) this.options.show(merge([first, ...others], this.options.texts()))
  }
}
