import { crashPoint } from '../base/crash-points'
import type { Store } from '../store/store'
import type { Messages } from './messages'
import { splitAtPair, wellFormed } from './text'

/** Milliseconds for which pieces of text are gathered before they are written. */
const gatherMs = 50

/** Writes the text of one model call into its message as it comes: first the table, then the screen. */
export class TextWriter {
  private gathered = ''
  private part: { index: number; length: number } | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly store: Store,
    private readonly messages: Messages,
    private readonly message: { readonly id: string; readonly sessionId: string },
    private readonly step: number
  ) {}

  add(delta: string): void {
    this.gathered += this.part === null && this.gathered === '' ? delta.trimStart() : delta
    this.timer ??= setTimeout(() => this.writeSoon(), gatherMs)
  }

  /** Writes what is gathered, also half a character pair; to be called at the end of the stream. */
  flush(): void {
    this.write({ whole: this.gathered, rest: '' })
  }

  /** What cannot be written now, such as on a full disk, is tried again with the next piece or at the end. */
  private writeSoon(): void {
    this.timer = null
    const all = this.gathered
    try {
      this.write(splitAtPair(all))
    } catch {
      this.gathered = all
    }
  }

  private write({ whole, rest }: { whole: string; rest: string }): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.gathered = rest
    const text = wellFormed(whole)
    if (text === '') return
    this.store.transact((tx) => {
      if (this.part === null) {
        const index = this.messages.addPart(this.message.id, { type: 'text', step: this.step, text })
        this.part = { index, length: text.length }
        this.messages.announce(tx, this.message.id)
        return
      }
      const { index, length } = this.part
      this.messages.appendText(this.message.id, index, text)
      this.part = { index, length: length + text.length }
      tx.emit({
        type: 'message.delta',
        sessionId: this.message.sessionId,
        messageId: this.message.id,
        index,
        offset: length,
        text
      })
    })
    crashPoint('mid-stream')
  }
}
