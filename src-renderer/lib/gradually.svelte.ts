/** How many rows fill a window, with some to spare. */
const first = 24
const step = 12

/**
 * How many rows of a long list to draw: what fills the window at once, the rest frame by frame, so that a page is there
 * when it is opened. For use while a component is made.
 */
export function gradually(total: () => number): { readonly count: number } {
  let count = $state(first)
  $effect(() => {
    if (count >= total()) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // After the frame in which the rows so far are seen.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => (count += step))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  })
  return {
    get count() {
      return count
    }
  }
}
