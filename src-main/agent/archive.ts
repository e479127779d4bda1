import type { AttachmentDetail, SessionPage, SessionView, ToolCallDetail } from '../../src-preload/contract'
import { fail, ok, type Result } from '../base/result'
import type { Executions } from '../execution/port'
import type { Store } from '../store/store'
import type { SessionsPort } from '../tools/sessions-port'
import type { Activities } from './activity'
import { createAttachments } from './attachments'
import { type Calls, createCalls } from './calls'
import { detailsOf, exportJson, exportMarkdown, forkSession, type WholeSession } from './copies'
import { readExport } from './export-format'
import { importSession } from './import'
import { createMessages, type Messages } from './messages'
import { createSessions, sessionMissing, type Sessions } from './sessions'
import { modelUnknown } from './providers'
import type { Turns } from './turns'
import type { Usages } from './usage'

/** The conversations that are kept. */
export interface Archive {
  /** With the model that its turns use; null for the default one. Errors: `model_unknown`. */
  createSession(model?: string | null): Result<SessionView>
  listSessions(): SessionView[]
  openSession(id: string, beforeSeq: number | undefined, limit: number): Result<SessionPage>
  rename(id: string, title: string): Result<SessionView>
  /** The model that the session's turns use from now on; null for the default one. */
  setModel(id: string, model: string | null): Result<SessionView>
  /** A further model was given another name: the sessions that have chosen it follow. */
  followRename(from: string, to: string): void
  /** Denies what waits in it. What runs on hosts runs on. */
  remove(id: string): Promise<Result<null>>
  fork(id: string, messageId: string): Result<SessionView>
  /** The session as text. */
  exportSession(id: string, format: 'markdown' | 'json'): Result<string>
  attachment(id: string): Result<AttachmentDetail>
  /** Makes a session of what was exported as JSON. Errors: `import_invalid`, `import_newer`. */
  importSession(content: string): Result<SessionView>
  toolCall(id: string): Result<ToolCallDetail>
}

export interface ArchiveDeps {
  readonly store: Store
  readonly sessions: Sessions
  readonly messages: Messages
  readonly calls: Calls
  readonly activity: Activities
  readonly usages: Usages
  readonly isModel: (name: string) => boolean
  readonly executions: Executions
  readonly turns: Turns
}

/** Why what belonged to a session ends with it. */
const deleted = 'The conversation was deleted.'

export function createArchive(deps: ArchiveDeps): Archive {
  const { store, sessions, messages, calls, activity, usages, isModel, executions, turns } = deps
  const attachments = createAttachments(store)

  function whole(session: SessionView): WholeSession {
    const all = messages.views(session.id)
    return {
      session,
      messages: all,
      attachments: all.flatMap((message) => attachments.texts(message.id)),
      toolCalls: detailsOf(calls, all),
      plans: executions.plansOf(session.id),
      executions: executions.list({ sessionId: session.id, limit: 200 }).executions,
      approvals: executions.approvalsOf(session.id)
    }
  }

  return {
    createSession: (model = null) =>
      model === null || isModel(model) ? ok(sessions.create(undefined, model)) : modelUnknown(model),
    listSessions: () => sessions.list(),

    openSession(id, beforeSeq, limit) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      const page = messages.page(id, beforeSeq, limit)
      return ok({
        ...page,
        session,
        toolCalls: calls.views(page.messages.map((message) => message.id)),
        plans: executions.plansOf(id),
        executions: executions.list({ sessionId: id, limit: 200 }).executions,
        approvals: executions.approvalsOf(id),
        assent: executions.window(id),
        activity: activity.of(id),
        usage: usages.ofSession(id)
      })
    },

    rename: (id, title) => sessions.rename(id, title),

    setModel: (id, model) =>
      model === null || isModel(model) ? sessions.setModel(id, model) : modelUnknown(model),

    followRename: (from, to) => sessions.renameModel(from, to),

    async remove(id) {
      const window = executions.window(id)
      // What is queued begins when a turn ends, so it is stopped too.
      while (turns.stop(id, 'stopped')) await turns.ended(id)
      if (window) executions.endWindow(window.id, deleted)
      // Nobody is left to hear of a decision, and no card would be left to find it by.
      for (const { id: asked, hash, state } of executions.approvalsOf(id))
        if (state === 'awaiting_approval')
          executions.decide({ id: asked, hash, decision: 'deny', route: 'chat', reason: deleted })
      return sessions.remove(id)
    },

    fork(id, messageId) {
      const session = sessions.find(id)
      const message = messages.row(messageId)
      if (!session || message?.session_id !== id) return sessionMissing()
      return ok(forkSession(store, { sessions, messages }, session, message.seq))
    },

    exportSession(id, format) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      return ok(format === 'json' ? exportJson(whole(session)) : exportMarkdown(whole(session)))
    },

    attachment(id) {
      const attachment = attachments.find(id)
      return attachment
        ? ok(attachment)
        : fail('attachment_not_found', 'This text does not exist any more.', 'Open the conversation anew.')
    },

    importSession(content) {
      const read = readExport(content)
      return read.ok ? ok(importSession(store, { sessions, messages }, read.value)) : read
    },

    toolCall(id) {
      const call = calls.detail(id)
      return call
        ? ok(call)
        : fail('tool_call_not_found', 'This call does not exist any more.', 'Open the conversation anew.')
    }
  }
}

/** The sessions as the tools read them; it needs nothing but the store. */
export function createSessionsPort(store: Store): SessionsPort {
  const sessions = createSessions(store)
  const messages = createMessages(store)
  const calls = createCalls(store)
  return {
    list: (limit) => sessions.list().slice(0, limit),
    record(id) {
      const session = sessions.find(id)
      if (!session) return sessionMissing()
      const all = messages.views(id)
      return ok({ session, messages: all, toolCalls: detailsOf(calls, all) })
    }
  }
}
