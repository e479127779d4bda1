import { z } from 'zod'
import type { ApprovalView, MessageView, ToolCallDetail } from '../../../src-preload/contract'
import type { Executions } from '../../execution/port'
import { defineTool } from '../define'
import { executionLine } from '../doing/execution-text'
import { moment } from '../format'
import { refused, told } from '../outcome'
import type { SessionsPort } from '../sessions-port'
import type { Tool } from '../tool'
import { reviewOf, reviewSchema } from './review/review'

const sessionSchema = z.object({
  session_id: z.string(),
  title: z.string(),
  state: z.string(),
  created_at: z.number(),
  updated_at: z.number()
})
/** Lines of a record that are returned at once. */
const pageLines = 60

/** Tools for looking back at sessions. */
export const sessionTools = (sessions: SessionsPort, executions: Executions): Tool[] => [
  defineTool({
    name: 'list_sessions',
    title: 'List sessions',
    group: 'self',
    description: 'The latest 50 conversations with their titles and states. Read one with get_session.',
    input: z.strictObject({}),
    output: z.object({ sessions: z.array(sessionSchema) }),
    readOnly: true,
    timeoutMs: 10_000,
    sentence: () => ({ sentence: 'Listing sessions', object: 'sessions' }),
    run() {
      const all = sessions.list(50).map((session) => ({
        session_id: session.id,
        title: session.title,
        state: session.state,
        created_at: session.createdAt,
        updated_at: session.updatedAt
      }))
      const lines = all.map(
        (each) => `${each.session_id} ${moment(each.updated_at)} [${each.state}] ${each.title}`
      )
      return Promise.resolve(told(lines.join('\n') || 'There are no sessions.', { sessions: all }))
    }
  }),

  defineTool({
    name: 'get_session',
    title: 'Record of a session',
    group: 'self',
    description:
      'The record of one conversation: first what the app has counted over all of it and the findings that follow, then, in ' +
      'order, messages, tool calls with duration and outcome, executions, approvals. ' +
      `Use it to find out what happened and where it failed. ${pageLines} entries at a time; go on with offset.`,
    input: z.strictObject({
      session_id: z.string().min(1).max(64),
      offset: z.number().int().min(0).default(0)
    }),
    output: z.object({
      session: sessionSchema,
      /** With the first page. */
      review: reviewSchema.nullable(),
      entries: z.array(z.object({ at: z.number(), kind: z.string(), text: z.string() })),
      offset: z.number(),
      next_offset: z.number().nullable(),
      total: z.number()
    }),
    readOnly: true,
    timeoutMs: 15_000,
    textBytes: 16_384,
    sentence: ({ session_id: id }) => {
      const title = sessions.list(50).find((session) => session.id === id)?.title ?? 'a session'
      return { sentence: `Reading the record of ${title}`, object: title }
    },
    run({ session_id: id, offset }) {
      const found = sessions.record(id)
      if (!found.ok) return Promise.resolve(refused(found.error))
      const { session, messages, toolCalls } = found.value
      const ran = executions.list({ sessionId: id, limit: 200 }).executions
      const approvals = executions.approvalsOf(id)
      const review =
        offset === 0
          ? reviewOf({ messages, toolCalls, executions: ran, approvals }, executions.actions())
          : null
      const all = [
        ...messages.map(messageEntry),
        ...toolCalls.map((call) => callEntry(call, messages)),
        ...ran.map((each) => ({ at: each.requestedAt, kind: 'execution', text: executionLine(each) })),
        ...approvals.map(approvalEntry)
      ].sort((a, b) => a.at - b.at)
      const entries = all.slice(offset, offset + pageLines)
      const next = offset + pageLines < all.length ? offset + pageLines : null
      const text = [
        `${session.title} [${session.state}], ${all.length} entries`,
        ...(review ? [review.text, 'The record:'] : []),
        ...entries.map((entry) => `${moment(entry.at)} ${entry.kind}: ${entry.text}`),
        next === null ? 'This is the end of the record.' : `There is more: go on with offset ${next}.`
      ]
      return Promise.resolve(
        told(text.join('\n'), {
          session: {
            session_id: session.id,
            title: session.title,
            state: session.state,
            created_at: session.createdAt,
            updated_at: session.updatedAt
          },
          review: review?.data ?? null,
          entries,
          offset,
          next_offset: next,
          total: all.length
        })
      )
    }
  })
]

const short = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)}…`

function messageEntry(message: MessageView) {
  const parts = message.parts.map((part) => {
    if (part.type === 'text') return short(part.text, 1500)
    if (part.type === 'notice') return `[notice ${part.error.code}: ${part.error.message}]`
    if (part.type === 'attachment') return `[attachment ${part.name}, ${part.lines} lines]`
    return part.type === 'tool_call' ? '' : `[${part.type} ${part.id}]`
  })
  const kind = `${message.role}${message.kind === 'turn' ? '' : ` ${message.kind}`}`
  const empty = message.role === 'assistant' && parts.join('') === '' ? '(no text)' : ''
  return {
    at: message.createdAt,
    kind,
    text: `${parts.filter(Boolean).join(' ')}${empty} [${message.state}]`
  }
}

function callEntry(call: ToolCallDetail, messages: readonly MessageView[]) {
  const asked = messages.find((message) => message.id === call.messageId)?.createdAt ?? 0
  const took =
    call.startedAt !== null && call.endedAt !== null ? ` in ${call.endedAt - call.startedAt} ms` : ''
  const outcome = call.error ?? short(call.text ?? '', 200)
  return {
    at: call.startedAt ?? asked,
    kind: 'tool call',
    text: `${call.name} ${short(JSON.stringify(call.input) ?? '', 300)} → ${call.state}${took}${outcome && `: ${outcome.replace(/\s+/g, ' ')}`}`
  }
}

function approvalEntry(approval: ApprovalView) {
  const decided =
    approval.decidedAt === null
      ? ''
      : ` by ${approval.route ?? 'rule'} after ${approval.decidedAt - approval.requestedAt} ms`
  return {
    at: approval.requestedAt,
    kind: 'approval',
    text: `${approval.subject.kind} ${approval.subject.id} [${approval.risk}] ${approval.state}${decided}${approval.reason ? `: ${approval.reason}` : ''}`
  }
}
