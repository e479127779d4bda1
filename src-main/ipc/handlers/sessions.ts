import { ok } from '../../base/result'
import type { Group } from '../handler-map'
import type { Services } from '../services'

/** Conversations: their messages, turns and tool calls. */
export function sessionHandlers({
  agent,
  knowledge
}: Services): Group<'session' | 'message' | 'turn' | 'attachment' | 'tool_call'> {
  return {
    'session.create': async ({ model }) => agent.createSession(model),
    'session.open': async ({ id, beforeSeq, limit }) => agent.openSession(id, beforeSeq, limit),
    'session.list': async () => ok([...agent.listSessions()]),
    'session.rename': async ({ id, title }) => agent.rename(id, title),
    'session.set_model': async ({ id, model }) => agent.setModel(id, model),
    'session.delete': async ({ id }) => agent.remove(id),
    'session.fork': async ({ id, messageId }) => agent.fork(id, messageId),
    'session.export': async ({ id, format }) => {
      const exported = await agent.exportSession(id, format)
      return exported.ok ? ok({ content: exported.value }) : exported
    },
    'session.import': async ({ content }) => agent.importSession(content),
    'session.search': async ({ query }) => ok([...knowledge.searchMessages(query, 50)]),
    'session.continue': async ({ id }) => agent.continueSession(id),

    'message.send': async ({ sessionId, text, attachments }) => agent.send(sessionId, text, attachments),
    'message.edit_queued': async ({ messageId, text }) => agent.editQueued(messageId, text),
    'message.remove_queued': async ({ messageId }) => agent.removeQueued(messageId),
    'turn.stop': async ({ sessionId }) => agent.stop(sessionId),
    'turn.retry': async ({ sessionId }) => agent.retry(sessionId),
    'attachment.get': async ({ id }) => agent.attachment(id),
    'tool_call.get': async ({ id }) => agent.toolCall(id)
  }
}
