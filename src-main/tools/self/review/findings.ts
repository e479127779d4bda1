import { moment } from '../../format'
import type { SessionFacts } from './facts'

/** Why a session failed or took long, as far as the record shows it by itself. */
export interface Finding {
  readonly kind:
    | 'missing_capability'
    | 'unanswered'
    | 'retry_storm'
    | 'n_plus_one'
    | 'silence'
    | 'continue_needed'
    | 'limit'
  readonly text: string
}

/** The findings, gravest first: what makes the goal impossible, then what stops the work, then what slows it. */
export function findingsOf(facts: SessionFacts): Finding[] {
  return [
    ...missingCapability(facts),
    ...unanswered(facts),
    ...facts.storms.map(({ what, failures, error }) => ({
      kind: 'retry_storm' as const,
      text: `${what} failed ${failures} times unchanged${error === '' ? '' : `: ${error}`}. What failed for good is not to be repeated.`
    })),
    ...facts.oneByOne.map(({ tool, calls, inARow, bulk }) => ({
      kind: 'n_plus_one' as const,
      text: `N+1 calls: ${tool} was called ${calls} times${inARow > 1 ? `, ${inARow} of them in a row` : ''}, of ${facts.calls} calls in all. ${bulk} returns all of it in one call.`
    })),
    ...(facts.silences === 0
      ? []
      : [
          {
            kind: 'silence' as const,
            text: `${facts.silences} of ${facts.turns} answers ended without a word, a card or an explanation.`
          }
        ]),
    ...(facts.continues === 0
      ? []
      : [
          {
            kind: 'continue_needed' as const,
            text: `The operator had to say "continue" ${facts.continues} times: nothing went on by itself.`
          }
        ]),
    ...(facts.limits.length === 0
      ? []
      : [{ kind: 'limit' as const, text: `Limits were met: ${[...new Set(facts.limits)].join(', ')}.` }])
  ]
}

/** What the agent said that it cannot do, each action once. */
function missingCapability({ cannots, unknownActions, executions }: SessionFacts): Finding[] {
  const seen = new Set<string>()
  const said = cannots.filter(({ action, sentence }) => {
    const key = action ?? sentence
    return seen.has(key) ? false : seen.add(key)
  })
  const requested =
    executions.requested === 0
      ? 'No execution was requested in the whole session'
      : `${executions.requested} executions were requested, none of them that`
  return [
    ...said.map(({ action, sentence, at, exists }) => ({
      kind: 'missing_capability' as const,
      text:
        `Missing capability${action === null ? '' : `: ${action}`}. The agent said at ${moment(at)}: "${sentence}" ${requested}. ` +
        (action === null
          ? 'Find the action that was needed, and whether the registry has it.'
          : exists
            ? `The registry has ${action} now: the same wish can be met with request_execution or propose_plan.`
            : `The registry has no action ${action}: it has to be made, or done another way.`)
    })),
    ...unknownActions
      .filter((name) => !seen.has(name))
      .map((name) => ({
        kind: 'missing_capability' as const,
        text: `Missing capability: ${name}. It was requested, and no such action exists.`
      }))
  ]
}

function unanswered({ undecided, openQuestion }: SessionFacts): Finding[] {
  return [
    ...undecided.map((title) => ({
      kind: 'unanswered' as const,
      text: `Nobody decided on: ${title}. The work stopped there.`
    })),
    ...(openQuestion === null
      ? []
      : [
          {
            kind: 'unanswered' as const,
            text: `The session ends with an unanswered question: "${openQuestion}"`
          }
        ])
  ]
}
