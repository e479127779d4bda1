import type {
  ApprovalView,
  AttachmentDetail,
  ExecutionView,
  MessageView,
  PlanView,
  SessionView,
  ToolCallDetail
} from '../../src-preload/contract'
import { newId } from '../base/ids'
import type { Store } from '../store/store'
import { createAttachments } from './attachments'
import type { Calls } from './calls'
import { exportMark } from './export-format'
import type { Messages } from './messages'
import type { Sessions } from './sessions'

/**
 * Copies a session up to and including a message. Cards stay behind: a plan or an approval belongs to one session,
 * and must not be decided from another. What came from outside stays marked as such.
 */
export function forkSession(
  store: Store,
  parts: { sessions: Sessions; messages: Messages },
  source: SessionView,
  upToSeq: number
): SessionView {
  const { db } = store
  const attachments = createAttachments(store)
  return store.transact((tx) => {
    const fork = parts.sessions.createFork(`${source.title} (fork)`, source.id)
    for (const message of parts.messages.upTo(source.id, upToSeq)) {
      const id = newId()
      const state = message.state === 'streaming' ? 'done' : message.state
      db.prepare(
        `INSERT INTO messages (id, session_id, seq, role, kind, state, note, usage, created_at, finished_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      ).run(
        id,
        fork.id,
        message.seq,
        message.role,
        message.kind,
        state,
        message.note,
        message.usage,
        message.created_at,
        message.finished_at ?? store.clock.now()
      )
      db.prepare(
        `INSERT INTO tool_calls SELECT @id || substr(id, -12), @id, @session, step, name, args, sentence, object,
                CASE WHEN state IN ('pending', 'running') THEN 'interrupted' ELSE state END,
                text, structured, error, taint, started_at, ended_at
           FROM tool_calls WHERE message_id = @from ORDER BY rowid`
      ).run({ id, session: fork.id, from: message.id })
      db.prepare(
        `INSERT INTO message_parts SELECT @id, idx, step, type, text,
                CASE type WHEN 'tool_call' THEN @id || substr(ref, -12) ELSE ref END, data
           FROM message_parts WHERE message_id = @from AND type NOT IN ('plan', 'approval')`
      ).run({ id, from: message.id })
      attachments.copy(message.id, id)
      parts.messages.announce(tx, id)
    }
    parts.sessions.settle(tx, fork.id, false)
    return parts.sessions.find(fork.id) ?? fork
  })
}

/** A session with everything that belongs to it. */
export interface WholeSession {
  readonly session: SessionView
  readonly messages: readonly MessageView[]
  /** The texts sent beside the messages. */
  readonly attachments: readonly AttachmentDetail[]
  readonly toolCalls: readonly ToolCallDetail[]
  readonly plans: readonly PlanView[]
  readonly executions: readonly ExecutionView[]
  readonly approvals: readonly ApprovalView[]
}

/** What has to be known of the things that parts name, to put them into words. */
interface CardsOf {
  readonly attachments: readonly { readonly id: string; readonly text: string }[]
  readonly toolCalls: readonly Pick<ToolCallDetail, 'id' | 'name' | 'sentence' | 'state' | 'error'>[]
  readonly plans: readonly {
    readonly id: string
    readonly title: string
    readonly state: string
    readonly steps: readonly {
      readonly index: number
      readonly title: string
      readonly executionState: string | null
    }[]
  }[]
  readonly executions: readonly {
    readonly id: string
    readonly title: string
    readonly state: string
    readonly commands: readonly { readonly text: string }[]
    readonly error: { readonly message: string } | null
    readonly verification: { readonly summary: string } | null
  }[]
}
type WordsOfPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'notice'; readonly error: { readonly message: string } }
  | { readonly type: 'attachment'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call' | 'plan' | 'approval'; readonly id: string }

export const exportJson = (whole: WholeSession): string =>
  JSON.stringify({ ...exportMark, ...whole }, null, 2)

/** The session as a document that people read: words, calls and cards in their order. */
export function exportMarkdown(whole: WholeSession): string {
  const lines = [`# ${whole.session.title}`, '']
  for (const message of whole.messages) {
    const who = message.role === 'user' ? 'Operator' : 'Nomos'
    lines.push(`## ${who}, ${new Date(message.createdAt).toISOString()}`, '')
    for (const part of message.parts) lines.push(...markdownOf(part, whole), '')
  }
  return lines.join('\n')
}

/** A part in words; of a card, what it stood for. */
export function markdownOf(part: WordsOfPart, whole: CardsOf): string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'attachment': {
      const { text = '' } = whole.attachments.find((candidate) => candidate.id === part.id) ?? {}
      const mark = fenceFor(text)
      return [`**${part.name}**`, '', mark, text.replace(/\n$/, ''), mark]
    }
    case 'notice':
      return [`> ${part.error.message.replaceAll('\n', '\n> ')}`]
    case 'tool_call': {
      const call = whole.toolCalls.find((candidate) => candidate.id === part.id)
      return call
        ? [
            `- \`${call.name}\` ${call.sentence}: ${call.state}${call.error === null ? '' : ` (${call.error})`}`
          ]
        : []
    }
    case 'plan': {
      const plan = whole.plans.find((candidate) => candidate.id === part.id)
      if (!plan) return []
      return [
        `**Plan: ${plan.title}** (${plan.state})`,
        ...plan.steps.map(
          (step) => `${step.index + 1}. ${step.title}: ${step.executionState ?? 'not started'}`
        )
      ]
    }
    case 'approval': {
      const execution = whole.executions.find((candidate) => candidate.id === part.id)
      if (!execution) return []
      return [
        `**${execution.title}** (${execution.state})`,
        '```sh',
        ...execution.commands.map((command) => command.text),
        '```',
        ...(execution.error === null ? [] : [execution.error.message]),
        ...(execution.verification === null ? [] : [execution.verification.summary])
      ]
    }
  }
}

/** Backticks that close only where they should: one more than any run of them inside. */
function fenceFor(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, { 0: run }) => Math.max(most, run.length), 2)
  return '`'.repeat(longest + 1)
}

/** The calls of a session with what went in and came out. */
export const detailsOf = (calls: Calls, messages: readonly MessageView[]): ToolCallDetail[] =>
  calls.views(messages.map((message) => message.id)).flatMap((call) => calls.detail(call.id) ?? [])
