import type { Config } from '@contract'

/** Sets the theme on the page and follows the system while that is what is chosen. */
export function followTheme(theme: Config['appearance']['theme']): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const set = () => {
    const now = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    document.documentElement.dataset['theme'] = now
  }
  set()
  dark.addEventListener('change', set)
  return () => dark.removeEventListener('change', set)
}
