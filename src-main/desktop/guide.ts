import type { Place } from '../../src-preload/contract'
import type { Store } from '../store/store'

/** Leads the operator to a place in the app; waits with that until the page is there to follow. */
export class Guide {
  private listening = false
  private wanted: Place | null = null

  constructor(
    private readonly store: Store,
    private readonly showWindow: () => void
  ) {}

  lead(to: Place): void {
    this.wanted = to
    this.showWindow()
    if (this.listening) this.tell()
  }

  onPageStart(): void {
    this.listening = false
  }

  onBootstrap(): void {
    this.listening = true
    this.tell()
  }

  private tell(): void {
    if (this.wanted === null) return
    this.store.announce({ type: 'navigate', to: this.wanted })
    this.wanted = null
  }
}
