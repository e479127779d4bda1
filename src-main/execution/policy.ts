import type { Policy, RiskClass, Saying } from '../../src-preload/contract'

/** What the rules say about one execution, and which rule said it, in words. */
export interface Ruling {
  readonly decision: 'deny' | 'ask' | 'allow'
  readonly rule: string
  readonly said: Saying
  /** The operator wrote a rule for this; without one the default of the risk class holds. */
  readonly explicit: boolean
}

export interface Ruled {
  readonly risk: RiskClass
  readonly host: string
  /** Every way to write the target: `lxc:typetype`, `lxc:105`. */
  readonly targets: readonly string[]
}

const riskWords: Readonly<Record<RiskClass, string>> = {
  read_only: 'reading',
  service_action: 'service actions',
  config_mutation: 'changes of configuration',
  destructive: 'destructive actions'
}

/**
 * Deny wins, then ask, then allow; how narrow a rule is changes nothing in that order.
 * A rule can never allow what is destructive: that asks, one by one.
 */
export function rule(policies: readonly Policy[], subject: Ruled): Ruling {
  const matching = policies.filter((policy) => matches(policy, subject))
  const first = (decision: Policy['decision']) => matching.find((policy) => policy.decision === decision)
  const deny = first('deny')
  if (deny) return byPolicy(deny)
  const ask = first('ask')
  if (ask) return byPolicy(ask)
  if (subject.risk === 'destructive')
    return byDefault('ask', 'Destructive actions always ask, one by one.', subject.risk)
  const allow = first('allow')
  if (allow) return byPolicy(allow)
  if (subject.risk === 'read_only') return byDefault('allow', 'Reading needs no approval.', subject.risk)
  return byDefault('ask', `By default ${riskWords[subject.risk]} ask.`, subject.risk)
}

const byPolicy = (policy: Policy): Ruling => ({
  decision: policy.decision,
  rule: `Your rule: ${describe(policy)}`,
  said: { id: 'rule.yours', facts: { ...policy } },
  explicit: true
})

const byDefault = (decision: Ruling['decision'], rule: string, risk: RiskClass): Ruling => ({
  decision,
  rule,
  said: { id: 'rule.default', facts: { risk } },
  explicit: false
})

function matches(policy: Policy, subject: Ruled): boolean {
  if (policy.risk !== undefined && policy.risk !== subject.risk) return false
  if (policy.host !== undefined && !glob(policy.host, subject.host)) return false
  const { target } = policy
  return target === undefined || subject.targets.some((name) => glob(target, name))
}

/** `*` matches any run of characters, everything else itself; without regard to case. */
function glob(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 'is').test(text)
}

function describe({ decision, risk, host, target }: Policy): string {
  const what = risk === undefined ? 'everything' : riskWords[risk]
  const where = [target === undefined ? null : `on ${target}`, host === undefined ? null : `on host ${host}`]
  return [decision, what, ...where].filter((part) => part !== null).join(' ')
}
