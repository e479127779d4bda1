import type { Attachment } from 'svelte/attachments'

/** How far below the visible part (px) the element may be to count as near. */
const ahead = 600

/** Calls back whenever the element comes near the visible part of what scrolls, as often as it is still near then. */
export const nearEnd =
  (callback: () => void): Attachment =>
  (element) => {
    let frame = 0
    const look = () => {
      callback()
      // The rows that came push the element down or not: watching anew tells.
      frame = requestAnimationFrame(() => {
        observer.unobserve(element)
        observer.observe(element)
      })
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) look()
      },
      { rootMargin: `0px 0px ${ahead}px 0px` }
    )
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }
