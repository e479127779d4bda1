import type { Place } from '@contract'
import { recall, remember } from '../lib/remember'

export const pages = ['chat', 'ops', 'fleet', 'knowledge', 'settings'] as const
export type PageName = (typeof pages)[number]

/** Where the operator is. Pages hold no state of their own, so leaving one loses nothing. */
export class Nav {
  page = $state<PageName>('chat')
  sessionId = $state<string | null>(null)
  /** Message to bring into view when its session is shown. */
  messageId = $state<string | null>(null)
  executionId = $state<string | null>(null)
  settingsSection = $state<string>('model')
  sessionsOpen = $state(recall('sessions') !== 'closed')
  /** The list of sessions lies over a narrow window. */
  sessionsSheet = $state(false)
  /** `null`: opens by itself when there is something to inspect. */
  inspector = $state<boolean | null>(null)
  /** On a narrow window the inspector lies over the page and is opened by hand only. */
  sheet = $state(false)

  go(page: PageName): void {
    this.page = page
  }

  goTo(place: Place): void {
    this.page = place.page
    if (place.page === 'chat' && place.sessionId !== undefined) {
      this.openSession(place.sessionId, place.messageId ?? null)
    }
    if (place.page === 'ops' && place.executionId !== undefined) this.executionId = place.executionId
    if (place.page === 'settings' && place.section !== undefined) this.settingsSection = place.section
  }

  openSession(sessionId: string | null, messageId: string | null = null): void {
    this.page = 'chat'
    this.sessionId = sessionId
    this.messageId = messageId
    this.executionId = null
    this.inspector = null
    this.sheet = false
    this.sessionsSheet = false
    remember('session', sessionId ?? '')
  }

  openSettings(section: string): void {
    this.settingsSection = section
    this.page = 'settings'
  }

  showInspector(shown: boolean): void {
    this.inspector = shown
    this.sheet = shown
  }

  keepSessions(open: boolean): void {
    this.sessionsOpen = open
    remember('sessions', open ? 'open' : 'closed')
  }
}
