import type { Bootstrap } from '@contract'

/**
 * The session to begin with: the one that was open last, or, where that is not known (the app was killed before it was
 * noted), the one that something goes on in or waits in.
 */
export function firstSession(boot: Bootstrap, last: string | null): string | null {
  const known = (id: string | null | undefined) => boot.sessions.some((session) => session.id === id)
  if (last !== null && known(last)) return last
  const goesOn = boot.assents.findLast((assent) => assent.endedAt === null && known(assent.sessionId))
  const busy = boot.sessions.find(({ state }) => state === 'running' || state === 'waiting')
  return goesOn?.sessionId ?? busy?.id ?? null
}
