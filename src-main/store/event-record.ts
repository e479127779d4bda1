import type { NomosEvent } from '../../src-preload/contract'

/** The row of the event log for an event; null for what is no change of state. */
export function recordOf(event: NomosEvent): { subject: string; state: string | null } | null {
  switch (event.type) {
    case 'session.changed':
      return { subject: event.session.id, state: event.session.state }
    case 'session.deleted':
      return { subject: event.sessionId, state: 'deleted' }
    case 'message.changed':
      return { subject: event.message.id, state: event.message.state }
    case 'message.removed':
      return { subject: event.messageId, state: 'removed' }
    case 'tool_call.changed':
      return { subject: event.call.id, state: event.call.state }
    case 'plan.changed':
      return { subject: event.plan.id, state: event.plan.state }
    case 'approval.changed':
      return { subject: event.approval.id, state: event.approval.state }
    case 'execution.changed':
      return { subject: event.execution.id, state: event.execution.state }
    case 'assent.changed':
      return { subject: event.assent.id, state: event.assent.endedAt === null ? 'open' : 'ended' }
    case 'host.key_decided':
      return { subject: event.host, state: event.decision }
    case 'allowance.changed':
      return { subject: event.allowance.id, state: event.ended ? 'ended' : 'given' }
    case 'mcp.changed':
      return { subject: event.server.name, state: event.gone ? 'removed' : event.server.state }
    case 'skill.changed':
      return { subject: event.skill.name, state: event.skill.state }
    case 'signal.changed':
      return { subject: event.signal.id, state: event.signal.state }
    case 'message.delta':
    case 'activity.changed':
    case 'usage.changed':
    case 'execution.output':
    case 'fleet.changed':
    case 'host.changed':
    case 'settings.changed':
    case 'navigate':
    case 'banner':
      return null
  }
}
