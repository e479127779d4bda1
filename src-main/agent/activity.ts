import type { Activity } from '../../src-preload/contract'
import type { Store } from '../store/store'

/** What the agent does at this moment, one line for each session; told at every change. */
export class Activities {
  private readonly current = new Map<string, Activity>()

  constructor(private readonly store: Store) {}

  of(sessionId: string): Activity | null {
    return this.current.get(sessionId) ?? null
  }

  all(): Activity[] {
    return [...this.current.values()]
  }

  /** `pause` in milliseconds: how long nothing happens from now on. */
  set(
    sessionId: string,
    messageId: string | null,
    phase: Activity['phase'],
    text: string,
    { pause = null, call = null }: { pause?: number | null; call?: Activity['call'] } = {}
  ): void {
    const before = this.current.get(sessionId)
    if (before?.phase === phase && before.text === text && before.messageId === messageId) return
    const since = this.store.clock.now()
    const until = pause === null ? null : since + pause
    const activity = { sessionId, messageId, phase, text, call, since, until }
    this.current.set(sessionId, activity)
    this.store.announce({ type: 'activity.changed', activity })
  }

  idle(sessionId: string): void {
    if (!this.current.delete(sessionId)) return
    this.store.announce({
      type: 'activity.changed',
      activity: {
        sessionId,
        messageId: null,
        phase: 'idle',
        text: '',
        call: null,
        since: this.store.clock.now(),
        until: null
      }
    })
  }
}
