import type { Origin } from '@contract'
import { count } from '../count'

export const ops = {
  title: 'Ops',
  waiting: 'Waits for you',
  active: 'Running',
  history: 'History',
  executions: 'Executions',
  audit: 'Audit trail',
  allowed: 'Allowed beforehand',
  allowedFor: (time: string) => `exactly this, ${time} more`,
  endAllowed: 'End',
  noneWaiting: 'Nothing waits for you.',
  noneActive: 'Nothing runs at the moment.',
  noneHistory: 'What was run on your hosts will be listed here, with its output.',
  noneFound: 'No execution fits this filter.',
  search: 'Search by target, action or host',
  filters: { all: 'All', succeeded: 'Done', failed: 'Failed' },
  filter: 'Filter by state',
  more: 'Show older',
  total: (n: number) => count(n, 'execution', 'executions'),
  clear: 'Clear the filter'
}

/** `who` asked, `by` which route it was decided, on which `host`; see `lib/audit.ts`. */
const auditSentence: Record<string, (facts: { who: string; by: string; host: string }) => string> = {
  'plan.proposed': () => 'Plan proposed by the agent',
  'execution.requested': ({ who }) => `Requested by ${who}`,
  'execution.cancel_requested': () => 'Cancel requested',
  'execution.starting': ({ host }) => `Starting on ${host}`,
  'execution.running': ({ host }) => `Started on ${host}`,
  'execution.succeeded': () => 'Done and verified',
  'execution.failed': () => 'Failed',
  'execution.timed_out': () => 'Ran into its time limit',
  'execution.cancelled': () => 'Cancelled',
  'execution.interrupted': ({ host }) => `Interrupted by a restart of ${host}`,
  'execution.lost': ({ host }) => `Lost on ${host}`,
  'approval.requested': () => 'Waits for your decision',
  'approval.approved': ({ by }) => `Approved ${by}`,
  'approval.denied': ({ by }) => `Denied ${by}`,
  'approval.expired': () => 'Expired without a decision',
  'approval.refused': ({ by }) => `A decision ${by} was refused`,
  'allowance.given': ({ by }) => `Allowed beforehand ${by}`,
  'allowance.ended': () => 'No longer allowed beforehand',
  'window.opened': ({ by }) => `Assent window opened ${by}`,
  'window.renewed': ({ by }) => `Assent window renewed ${by}`,
  'window.ended': () => 'Assent window ended',
  'host_key.trusted': () => 'Key trusted by you',
  'host_key.pinned': () => 'Key is the one in the configuration',
  'host_key.imported': () => 'Key imported from known_hosts by you',
  'host_key.replaced': () => 'Changed key accepted by you',
  'host_key.forgotten': () => 'Key forgotten by you',
  'skill.allowed': () => 'Skill allowed by you',
  'skill.forbidden': () => 'Skill no longer allowed by you',
  'mcp.confirmed': () => 'MCP server confirmed by you',
  'mcp.tool_allowed': () => 'MCP tool allowed by you',
  'mcp.tool_forbidden': () => 'MCP tool no longer allowed by you',
  'mcp.removed': () => 'MCP server removed by you'
}

export const audit = {
  verify: 'Verify chain',
  exportJson: 'Copy as JSON',
  exportCsv: 'Copy as CSV',
  none: 'Each decision and each execution leaves an entry here.',
  intact: (n: number) => `All ${n} entries fit the chain.`,
  broken: (seq: number) => `Entry ${seq} does not fit the chain: it or one before it was changed.`,
  noneFound: 'No entry fits this filter.',
  search: 'Search by guest, host, route or rule',
  filter: 'Filter by what it is about',
  filters: {
    all: 'All',
    decisions: 'Decisions',
    executions: 'Executions',
    hosts: 'Host keys',
    tools: 'Skills, MCP'
  },
  raw: (seq: number, kind: string) => `Entry ${seq}, ${kind}`,
  covers: (scope: string) => `Covers ${scope}`,
  /** The beginning of a sentence that goes on with what it is about. */
  happened: auditSentence,
  who: { agent: 'the agent', operator: 'you', signal: 'a signal', mcp: 'an MCP client' } satisfies Record<
    Origin,
    string
  >,
  copied: 'The audit trail is on the clipboard.'
}
