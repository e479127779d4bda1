import type { Place } from '../../src-preload/contract'
import type { Store } from '../store/store'

/** Leads the operator to a place in the app; waits with that until the page is there to follow. */
export class Guide {
  private listening = false
  private wanted: Place | null = null
  private shown: Place | null = null
  private readonly greetings: (() => void)[] = []

  constructor(
    private readonly store: Store,
    private readonly showWindow: () => void
  ) {}

  lead(to: Place): void {
    this.wanted = to
    this.showWindow()
    if (this.listening) this.tell()
  }

  /** The page says where the operator is. */
  noteShown(place: Place): void {
    this.shown = place
  }

  /** True when the page shows this place. */
  shows(place: Place): boolean {
    if (this.shown?.page !== place.page) return false
    return place.page !== 'chat' || this.shown.page !== 'chat' || this.shown.sessionId === place.sessionId
  }

  onPageStart(): void {
    this.listening = false
    this.shown = null
  }

  /** Calls back whenever a page begins to listen: it has not heard what was told before. */
  onPage(greet: () => void): void {
    this.greetings.push(greet)
  }

  onBootstrap(): void {
    this.listening = true
    for (const greet of this.greetings) greet()
    this.tell()
  }

  private tell(): void {
    if (this.wanted === null) return
    this.store.announce({ type: 'navigate', to: this.wanted })
    this.wanted = null
  }
}
