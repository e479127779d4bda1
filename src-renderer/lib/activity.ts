import type { Activity, ExecutionView, SessionState } from '@contract'
import { elapsed } from './format'
import { executionTone, type Tone } from './states'
import { t } from './text'

/** "What is it doing now", in one line. */
export interface NowLine {
  readonly tone: Tone
  readonly text: string
  /** Where the time it has taken is told. UTC milliseconds. */
  readonly since: number | null
  /** The execution that the line is about. */
  readonly executionId: string | null
}

/**
 * What is told of a session: the agent's own work first, then a decision that waits, then what runs on hosts, then
 * how it was left. `now` matters only while the model's service has asked for a pause.
 */
export function nowLine(
  session: SessionState,
  activity: Activity | null,
  decides: boolean,
  running: readonly ExecutionView[],
  now: () => number
): NowLine {
  const line = (
    tone: Tone,
    text: string,
    since: number | null = null,
    executionId: string | null = null
  ) => ({
    tone,
    text,
    since,
    executionId
  })
  switch (activity?.phase) {
    case 'thinking':
      return line('running', t.chat.thinking, activity.since)
    case 'answering':
      return line('running', t.chat.answering, activity.since)
    case 'tool':
      return line('running', activity.text, activity.since)
    case 'waiting':
      return line('needs', pauseText(activity, now, t.chat.modelBusy, t.chat.modelBusyNow))
    case 'resting':
      return line('failed', pauseText(activity, now, t.chat.modelGone, t.chat.modelGoneNow))
  }
  if (decides) return line('needs', t.chat.waiting)
  const [first] = running
  if (first !== undefined) {
    const title = running.length > 1 ? t.chat.andMore(first.title, running.length - 1) : first.title
    const text = first.state === 'unknown' ? t.chat.hostGone(first.host, title) : title
    return line(executionTone(first.state), text, first.startedAt, first.id)
  }
  if (session === 'running') return line('running', t.chat.thinking)
  if (session === 'waiting') return line('needs', t.chat.held)
  return session === 'failed' ? line('failed', t.chat.lastFailed) : line('quiet', t.chat.ready)
}

function pauseText(
  { until }: Activity,
  now: () => number,
  later: (time: string) => string,
  soon: string
): string {
  const left = until === null ? 0 : until - now()
  return left > 0 ? later(elapsed(left + 999)) : soon
}
