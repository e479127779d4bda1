import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src-main/base/canonical'
import { subjectHash, type HashedSubject } from '../../../src-main/execution/hash'

const subject: HashedSubject = {
  host: 'strong',
  hostKey: 'SHA256:abc',
  user: 'root',
  action: 'pct_start',
  target: 'lxc:caddy',
  vmid: 102,
  guestName: 'caddy',
  params: { a: 1, b: [{ y: 1, x: 2 }] },
  commands: [['pct', 'start', '102']],
  risk: 'service_action',
  timeLimit: 180
}

describe('the hash of what would run', () => {
  it('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(turned)).toBe(canonicalJson(value))
      })
    )
  })

  it.each<[string, Partial<HashedSubject>]>([
    ['the host', { host: 'weak' }],
    ['the host key', { hostKey: 'SHA256:other' }],
    ['the user', { user: 'admin' }],
    ['the action', { action: 'pct_stop' }],
    ['the target', { target: 'lxc:102' }],
    ['the VMID', { vmid: 103 }],
    ['the name of the guest', { guestName: 'gitea' }],
    ['a param', { params: { a: 2, b: [{ y: 1, x: 2 }] } }],
    ['a command', { commands: [['pct', 'start', '103']] }],
    ['where one argument ends and the next begins', { commands: [['pct start', '102']] }],
    ['the risk', { risk: 'config_mutation' }],
    ['the time limit', { timeLimit: 181 }]
  ])('changes with %s', (_, change) => {
    expect(subjectHash({ ...subject, ...change })).not.toBe(subjectHash(subject))
  })
})
