import { cubicOut } from 'svelte/easing'
import { prefersReducedMotion } from 'svelte/motion'
import type { TransitionConfig } from 'svelte/transition'

/** Opens by height and fade; with reduced motion it is open at once. */
export function unfold(
  node: Element,
  { duration = 180 }: { readonly duration?: number } = {}
): TransitionConfig {
  if (prefersReducedMotion.current) return { duration: 0 }
  const height = node.getBoundingClientRect().height
  return {
    duration,
    easing: cubicOut,
    css: (at) => `overflow: hidden; height: ${at * height}px; opacity: ${at}; min-height: 0`
  }
}
