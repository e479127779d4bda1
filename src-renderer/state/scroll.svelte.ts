const nearBottom = 48
const nearTop = 900

/**
 * The scroll position of a transcript. At the bottom it follows what is written; anywhere else it
 * stays where the reader put it, also when older messages are put above.
 */
export class Scroll {
  atBottom = $state(true)
  #viewport: HTMLElement | null = null
  #lastTop = 0
  readonly #onNearTop: () => void

  constructor(onNearTop: () => void) {
    this.#onNearTop = onNearTop
  }

  /** Attachment for the scrolling element; its first child is what grows. */
  readonly viewport = (node: HTMLElement): (() => void) => {
    this.#viewport = node
    const follow = new ResizeObserver(() => {
      if (this.atBottom) this.#toBottom()
      else this.#look()
    })
    follow.observe(node)
    if (node.firstElementChild !== null) follow.observe(node.firstElementChild)
    const onScroll = () => this.#look()
    node.addEventListener('scroll', onScroll, { passive: true })
    this.#toBottom()
    return () => {
      follow.disconnect()
      node.removeEventListener('scroll', onScroll)
      this.#viewport = null
    }
  }

  jumpToNow(): void {
    this.atBottom = true
    this.#toBottom()
  }

  reveal(messageId: string): void {
    this.#show(this.#viewport?.querySelector(`[data-testid="message"][data-id="${CSS.escape(messageId)}"]`))
  }

  /** Brings the first card that waits into view; one in a chunk that is not drawn is further up. */
  revealDecision(): void {
    const node = this.#viewport
    const cards = node?.querySelectorAll(
      ':is([data-testid="approval-card"], [data-testid="plan-card"])[data-state="awaiting_approval"]'
    )
    if (cards?.[0] === undefined) node?.scrollBy({ top: -node.clientHeight })
    else this.#show(cards[0])
  }

  #show(element: Element | null | undefined): void {
    if (element == null) return
    this.atBottom = false
    element.scrollIntoView({ block: 'start' })
  }

  /** Runs a change above the reader's place and keeps that place on the screen. */
  async keepPlace(change: () => Promise<void>): Promise<void> {
    const node = this.#viewport
    if (node === null) return change()
    const anchor = this.#firstVisible(node)
    const before = anchor?.getBoundingClientRect().top ?? 0
    await change()
    requestAnimationFrame(() => {
      if (anchor?.isConnected === true) node.scrollTop += anchor.getBoundingClientRect().top - before
    })
  }

  #firstVisible(node: HTMLElement): Element | undefined {
    const top = node.getBoundingClientRect().top
    return [...node.querySelectorAll('[data-testid="message"]')].find(
      (element) => element.getBoundingClientRect().bottom > top
    )
  }

  #look(): void {
    const node = this.#viewport
    if (node === null) return
    const rest = node.scrollHeight - node.scrollTop - node.clientHeight
    // Text may be written between a scroll and its event: only a move upwards is the reader's.
    if (rest < nearBottom) this.atBottom = true
    else if (node.scrollTop < this.#lastTop - 1) this.atBottom = false
    this.#lastTop = node.scrollTop
    if (node.scrollTop < nearTop) this.#onNearTop()
  }

  #toBottom(): void {
    const node = this.#viewport
    if (node !== null) node.scrollTop = node.scrollHeight
  }
}
