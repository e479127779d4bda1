import { z } from 'zod'
import { factsOf, type ReviewedRecord, type SessionFacts } from './facts'
import { type Finding, findingsOf } from './findings'

export const reviewSchema = z.object({
  calls: z.number(),
  tools: z.array(z.object({ tool: z.string(), calls: z.number(), failed: z.number() })),
  findings: z.array(z.object({ kind: z.string(), text: z.string() }))
})

const mostTools = 12

export interface Review {
  readonly data: z.output<typeof reviewSchema>
  readonly text: string
}

/** What the app can count and name in a session's record by itself, for whoever judges it. */
export function reviewOf(record: ReviewedRecord, actions: readonly { readonly name: string }[]): Review {
  const facts = factsOf(record, new Set(actions.map(({ name }) => name)))
  const findings = findingsOf(facts)
  return {
    data: { calls: facts.calls, tools: [...facts.tools], findings },
    text: `${countedText(facts)}\n${findingsText(findings)}`
  }
}

function countedText({ turns, calls, tools, executions }: SessionFacts): string {
  const each = tools
    .slice(0, mostTools)
    .map(({ tool, calls: times, failed }) => `${tool} ×${times}${failed > 0 ? ` (${failed} failed)` : ''}`)
  return [
    `Counted by the app over the whole record: ${turns} answers, ${calls} tool calls, ${executions.requested} executions (${executions.succeeded} succeeded, ${executions.failed} failed).`,
    ...(each.length === 0 ? [] : [`Calls: ${each.join(', ')}${tools.length > mostTools ? ', …' : ''}.`])
  ].join('\n')
}

const findingsText = (findings: readonly Finding[]): string =>
  findings.length === 0
    ? 'Findings: none that can be counted. Read the record for others.'
    : `Findings, the gravest first (the first is the root cause unless the record shows another):\n${findings
        .map(({ text }, index) => `${index + 1}. ${text}`)
        .join('\n')}`
