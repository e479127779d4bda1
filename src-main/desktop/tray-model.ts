import type { ExecutionView, Place } from '../../src-preload/contract'
import type { Services } from '../ipc/services'
import { decisionCard, type DecisionCard } from './decision-card'
import type { Speech } from './speech'
import { visible } from './visible'

export type TrayState = 'idle' | 'working' | 'needs-you'

/** What the tray shows. */
export interface TrayModel {
  readonly state: TrayState
  readonly tooltip: string
  readonly decisions: readonly DecisionCard[]
  readonly running: readonly { readonly label: string; readonly place: Place }[]
  readonly paused: boolean
}

type Sources = Pick<Services, 'executions' | 'agent'>

const runningStates: readonly ExecutionView['state'][] = ['approved', 'starting', 'running', 'unknown']

/** Reads the tray's content from the core. */
export function trayModel(
  { executions, agent }: Sources,
  texts: Speech,
  paused: boolean,
  now: number
): TrayModel {
  const decisions = executions
    .waitingApprovals()
    .map((approval) => decisionCard(approval, executions, texts))
    .filter((card) => card !== null)
  const running = executions.open().filter(({ state }) => runningStates.includes(state))
  const thinking = agent.listSessions().filter(({ state }) => state === 'running').length
  const state = decisions.length > 0 ? 'needs-you' : running.length + thinking > 0 ? 'working' : 'idle'
  return {
    state,
    tooltip: tooltip(texts, decisions.length, running.length, thinking),
    decisions,
    running: running.map((execution) => ({
      label: `${visible(texts.words.execution(execution).title)} · ${elapsed(texts, now - (execution.startedAt ?? execution.requestedAt))}`,
      place: { page: 'ops', executionId: execution.id }
    })),
    paused
  }
}

function tooltip({ tray: { tip } }: Speech, decisions: number, running: number, thinking: number): string {
  const parts = [
    decisions > 0 && tip.waiting(decisions),
    running > 0 && tip.running(running),
    thinking > 0 && running === 0 && tip.thinking
  ].filter((part) => part !== false)
  return parts.length > 0 ? `Nomos: ${parts.join(', ')}` : 'Nomos'
}

/** Such as `42 s`, `3 min`, `2 h 05 min`. */
export function elapsed({ time }: Speech, milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return time.seconds(seconds)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return time.minutes(minutes)
  return time.hours(Math.floor(minutes / 60), String(minutes % 60).padStart(2, '0'))
}
