import type { Attachment } from 'svelte/attachments'

/** Drawn above and below what is seen, so that scrolling and the Tab key find rows. */
const spare = 12
/** The window moves by this many rows at a time. */
const step = 6

/**
 * Which rows of a long table are drawn: those that are seen and some around them. All rows have the same height; what
 * is not drawn is kept free above and below.
 */
export class RowWindow {
  first = $state(0)
  /** Until it was measured: what fills a window. */
  count = $state(16)
  height = $state(37)

  /** For the element whose children the rows are; it scrolls with the page it is on. */
  readonly attach: Attachment = (body) => {
    const scroller = body.closest('.page')
    if (scroller === null) return
    const look = () => {
      const seen = scroller.clientHeight
      if (seen === 0) return
      const row = body.querySelector('tr[data-id]')?.getBoundingClientRect().height ?? 0
      if (row > 0) this.height = row
      const above = scroller.getBoundingClientRect().top - body.getBoundingClientRect().top
      const first = Math.floor(Math.max(0, above) / this.height) - spare
      this.first = Math.max(0, Math.floor(first / step) * step)
      this.count = Math.ceil(seen / this.height) + 2 * spare + step
    }
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    const sizes = new ResizeObserver(soon)
    sizes.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }
}
