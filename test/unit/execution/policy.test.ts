import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rule, type Ruled } from '../../../src-main/execution/policy'
import { riskClasses, type Policy } from '../../../src-preload/contract'

const caddy: Ruled = { risk: 'service_action', host: 'strong', targets: ['lxc:caddy', 'lxc:102'] }

describe('policies', () => {
  it('without a rule, reading runs and everything else asks', () => {
    expect(rule([], { ...caddy, risk: 'read_only' }).decision).toBe('allow')
    for (const risk of ['service_action', 'config_mutation', 'destructive'] as const)
      expect(rule([], { ...caddy, risk })).toMatchObject({ decision: 'ask', explicit: false })
  })

  it('deny wins over ask, ask over allow, in whatever order and however narrow they are', () => {
    const allow: Policy = { target: 'lxc:caddy', risk: 'service_action', host: 'strong', decision: 'allow' }
    const ask: Policy = { host: 'strong', decision: 'ask' }
    const deny: Policy = { decision: 'deny' }
    fc.assert(
      fc.property(fc.shuffledSubarray([allow, ask, deny], { minLength: 1 }), (policies) => {
        const wanted = policies.includes(deny) ? 'deny' : policies.includes(ask) ? 'ask' : 'allow'
        expect(rule(policies, caddy).decision).toBe(wanted)
      })
    )
  })

  it('no rule allows what is destructive', () => {
    expect(rule([{ decision: 'allow' }], { ...caddy, risk: 'destructive' }).decision).toBe('ask')
  })

  it('names the rule in words', () => {
    const policy: Policy = { risk: 'service_action', target: 'lxc:*', decision: 'allow' }
    expect(rule([policy], caddy).rule).toBe('Your rule: allow service actions on lxc:*')
    expect(rule([], { ...caddy, risk: 'config_mutation' }).rule).toBe(
      'By default changes of configuration ask.'
    )
  })

  it.each([
    ['lxc:*', true],
    ['lxc:caddy', true],
    ['LXC:Caddy', true],
    ['lxc:102', true],
    ['lxc:cad', false],
    ['*caddy', true],
    ['lxc:c.ddy', false],
    ['vm:*', false],
    ['lxc:caddy2', false]
  ])('the target %s matches a container caddy (102): %s', (target, does) => {
    expect(rule([{ target, decision: 'deny' }], caddy).decision === 'deny').toBe(does)
  })

  it('a rule for another class, host or target changes nothing', () => {
    const others: Policy[] = [
      { risk: 'config_mutation', decision: 'allow' },
      { host: 'weak', decision: 'allow' },
      { target: 'lxc:db', decision: 'allow' }
    ]
    expect(rule(others, caddy)).toMatchObject({ decision: 'ask', explicit: false })
    expect(riskClasses).toHaveLength(4)
  })
})
