/**
 * A list above others that does not push them away from under the pointer: while it points at what lies below, rows
 * neither come nor go. Those that are there keep their places; new ones come at the end.
 */
export class HeldList {
  ids = $state.raw<readonly string[]>([])
  #pointed = $state(false)

  constructor(wanted: () => readonly string[]) {
    $effect.pre(() => {
      const now = wanted()
      if (this.#pointed) return
      const kept = this.ids.filter((id) => now.includes(id))
      const next = [...kept, ...now.filter((id) => !kept.includes(id))]
      if (next.join() !== this.ids.join()) this.ids = next
    })
  }

  /** Shows what was held back. */
  release(): void {
    this.#pointed = false
  }

  /** Follows the pointer over the page that `node` is on. */
  watch(node: Element): () => void {
    const page = node.closest('main')
    const moved = (event: Event) => {
      this.#pointed = event.target instanceof Node && !node.contains(event.target)
    }
    const left = () => this.release()
    page?.addEventListener('pointermove', moved)
    page?.addEventListener('pointerleave', left)
    return () => {
      page?.removeEventListener('pointermove', moved)
      page?.removeEventListener('pointerleave', left)
    }
  }
}
