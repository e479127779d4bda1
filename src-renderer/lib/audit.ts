import type { ApprovalView, AuditEntry, Origin } from '@contract'
import { visible } from './escapes'
import type { Tone } from './states'
import { t } from './text'

/** An entry of the audit trail as a person reads it. */
export interface AuditLine {
  /** "Approved by you in the chat". */
  readonly happened: string
  /** What it was about: "Start container caddy (200) on strong", a host, what a window covers. */
  readonly what: string
  /** Why, or by which rule; empty when there is nothing to add. */
  readonly detail: string
  readonly tone: Tone
}

const tones: Readonly<Record<string, Tone>> = {
  'approval.approved': 'done',
  'approval.denied': 'failed',
  'approval.refused': 'failed',
  'approval.requested': 'needs',
  'execution.succeeded': 'done',
  'execution.failed': 'failed',
  'execution.timed_out': 'failed',
  'execution.interrupted': 'unsure',
  'execution.lost': 'unsure',
  'host_key.trusted': 'done',
  'host_key.imported': 'done',
  'host_key.replaced': 'needs',
  'skill.allowed': 'done',
  'mcp.confirmed': 'done',
  'mcp.tool_allowed': 'done'
}

/** Who did what to which target, over which route. */
export function auditLine({ kind, subject, route, data, said }: AuditEntry): AuditLine {
  const text = (name: string): string => {
    const value = { ...data, ...said }[name]
    return typeof value === 'string' ? value : ''
  }
  const scope = Array.isArray(data['scope']) ? data['scope'].filter((each) => typeof each === 'string') : []
  const facts = { who: whoIs(text('origin')), by: routeWord(route), host: visible(text('host')) }
  const what = /^(?:host_key|skill|mcp)\./.test(kind)
    ? subject
    : text('title') || `${text('action')} ${text('target')}`
  // Why it would have asked is beside the point for what a plan has decided.
  const rule = route === 'plan' ? '' : text('rule')
  const details = [rule, text('reason'), text('why'), text('error'), text('fingerprint'), text('launch')]
  if (scope.length > 0) details.push(t.audit.covers(scope.join(', ')))
  return {
    happened: (t.audit.happened[kind]?.(facts) ?? kind).trim(),
    what: visible(what.trim()),
    detail: visible(details.filter((each) => each !== '').join(' · ')),
    tone: tones[kind] ?? 'quiet'
  }
}

const isOrigin = (word: string): word is Origin => word in t.audit.who
const whoIs = (word: string): string => (isOrigin(word) ? t.audit.who[word] : word)

const isRoute = (word: string): word is NonNullable<ApprovalView['route']> => word in t.approval.route
const routeWord = (route: string | null): string =>
  route === null ? '' : isRoute(route) ? t.approval.route[route] : route
