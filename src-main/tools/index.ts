import type { Clock } from '../base/clock'
import type { Executions } from '../execution/port'
import type { Fleet } from '../fleet/port'
import type { Knowledge } from '../knowledge/port'
import type { Signals } from '../signals/port'
import type { Skills } from '../skills/port'
import type { Ssh } from '../ssh/port'
import type { Web } from '../web/port'
import { executionTools } from './doing/executions'
import { planTools } from './doing/plans'
import { requestTools } from './doing/request'
import { entityTools } from './fleet/entities'
import { guestTools } from './fleet/guests'
import { historyTools } from './fleet/history'
import { hostTools } from './fleet/hosts'
import { storageTools } from './fleet/storages'
import { logTools } from './inside/logs'
import { networkTools } from './inside/network'
import { serviceTools } from './inside/services'
import { updateTools } from './inside/updates'
import { documentTools } from './knowledge/documents'
import { webTools } from './knowledge/web-fetch'
import { sessionTools } from './self/sessions'
import { skillTools } from './self/skills'
import { summaryTools } from './self/tools-summary'
import { signalTools } from './signals/signals'
import type { SessionsPort } from './sessions-port'
import type { Tool } from './tool'
import { TurnCounts } from './turn-counts'

export { fleetSummary } from './fleet/summary'
export { toolsSummary } from './self/tools-summary'

export interface ToolDependencies {
  readonly fleet: Fleet
  readonly ssh: Ssh
  readonly executions: Executions
  readonly knowledge: Knowledge
  readonly web: Web
  readonly skills: Skills
  readonly signals: Signals
  readonly sessions: SessionsPort
  readonly clock: Clock
  /** Tools of external MCP servers that are allowed now. */
  readonly external?: () => readonly Tool[]
}

/** Every tool that Nomos has, bulk calls before those for one entity. */
export function createTools(dependencies: ToolDependencies): readonly Tool[] {
  const {
    fleet,
    ssh,
    executions,
    knowledge,
    web,
    skills,
    signals,
    sessions,
    clock,
    external = () => []
  } = dependencies
  const counts = new TurnCounts(clock)
  const inside = { fleet, ssh }
  const tools: readonly Tool[] = [
    ...hostTools(fleet, counts),
    ...guestTools(fleet, counts),
    ...storageTools(fleet),
    ...entityTools(fleet, executions, knowledge, counts),
    ...historyTools(fleet),
    ...serviceTools(inside),
    ...logTools(inside),
    ...updateTools(inside, counts),
    ...networkTools(inside),
    ...documentTools(knowledge),
    ...webTools(web, counts),
    ...planTools(executions),
    ...requestTools(executions),
    ...executionTools(executions),
    ...signalTools(signals),
    ...summaryTools(() => tools, external),
    ...skillTools(skills),
    ...sessionTools(sessions, executions)
  ]
  return tools
}
