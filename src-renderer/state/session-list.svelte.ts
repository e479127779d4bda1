import { MediaQuery } from 'svelte/reactivity'
import type { Nav } from './nav.svelte'

const wide = new MediaQuery('(min-width: 820px)')

/** True while there is room for the list of sessions beside the conversation. */
export const sessionsFit = (): boolean => wide.current

/** On a narrow window, or a much enlarged one, the list lies over the conversation and is opened by hand only. */
export const sessionsShown = (nav: Nav): boolean => (wide.current ? nav.sessionsOpen : nav.sessionsSheet)

export function toggleSessions(nav: Nav): void {
  if (wide.current) nav.keepSessions(!nav.sessionsOpen)
  else nav.sessionsSheet = !nav.sessionsSheet
}
