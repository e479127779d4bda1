import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paramsText } from '../../../src-main/tools/doing/catalogue'
import { unit } from '../../../src-main/fleet/detail/services'
import { parseUnits } from '../../../src-main/fleet/inside/units'
import { parseUpgradable } from '../../../src-main/fleet/inside/upgradable'
import { parseShow } from '../../../src-main/tools/inside/services'
import { bulkHint, TurnCounts } from '../../../src-main/tools/turn-counts'

describe('what systemd and apt print', () => {
  it('lists units, failed ones first, without those that are not there', () => {
    const text = [
      '  caddy.service        loaded    active   running Caddy web server',
      '● typetype.service     loaded    failed   failed  TypeType',
      '  old.service          not-found inactive dead    old.service',
      '  cron.service         loaded    inactive dead    Regular background program',
      'junk'
    ].join('\n')
    expect(parseUnits(text)).toEqual([
      { name: 'typetype', load: 'loaded', active: 'failed', sub: 'failed', description: 'TypeType' },
      { name: 'caddy', load: 'loaded', active: 'active', sub: 'running', description: 'Caddy web server' },
      {
        name: 'cron',
        load: 'loaded',
        active: 'inactive',
        sub: 'dead',
        description: 'Regular background program'
      }
    ])
  })

  it('reads properties whose values contain equals signs', () => {
    expect(parseShow('Id=a.service\nExecStart={ path=/x ; argv=y }\n\nbroken')).toEqual({
      Id: 'a.service',
      ExecStart: '{ path=/x ; argv=y }'
    })
    expect(['caddy', 'a.b', 'x.timer'].map(unit)).toEqual(['caddy.service', 'a.b.service', 'x.timer'])
  })

  it('lists upgradable packages with the ones for security', () => {
    const text =
      'Listing...\nopenssl/stable-security 3.0.15-1~deb12u1 amd64 [upgradable from: 3.0.14-1~deb12u2]\n' +
      'libc6/stable,stable-updates 2.36-9 amd64 [upgradable from: 2.36-8]\nN: There is 1 additional version.'
    expect(parseUpgradable(text)).toEqual([
      { name: 'openssl', to: '3.0.15-1~deb12u1', from: '3.0.14-1~deb12u2', security: true },
      { name: 'libc6', to: '2.36-9', from: '2.36-8', security: false }
    ])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseUnits(text)
        parseShow(text)
        parseUpgradable(text)
      })
    )
  })
})

describe('params of an action in words', () => {
  it('names fields, what may be left out, and types', () => {
    expect(
      paramsText({
        properties: {
          hostname: { type: 'string' },
          cores: { type: 'integer', default: 1 },
          mode: { enum: ['a', 'b'] },
          tags: { type: 'array', items: { type: 'string' } },
          size: { anyOf: [{ type: 'number' }, { type: 'null' }] }
        },
        required: ['hostname', 'cores']
      })
    ).toBe('hostname: string, cores?: integer, mode?: a|b, tags?: string[], size?: number|null')
    const mount = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
    expect(paramsText({ properties: { mounts: { type: 'array', items: mount } } })).toBe(
      'mounts?: {path: string}[]'
    )
    expect(paramsText({})).toBe('')
  })
})

describe('asking one by one', () => {
  const context = (messageId: string | null) => ({
    sessionId: null,
    messageId,
    origin: 'agent' as const,
    client: 'test',
    tainted: false,
    signal: new AbortController().signal
  })

  it('is answered from the third call of a turn on with the call for all', () => {
    const counts = new TurnCounts({ now: () => 0 })
    const hints = [1, 2, 3, 4, 5].map(() => bulkHint(counts, context('m1'), 'get_lxc_state'))
    expect(hints.slice(0, 2)).toEqual(['', ''])
    expect(hints[2]).toContain('list_lxcs')
    expect(hints[4]).toContain('call 5')
    expect(bulkHint(counts, context('m2'), 'get_lxc_state')).toBe('')
    expect(bulkHint(counts, context('m1'), 'get_vm_state')).toBe('')
  })

  it('counts the calls of a client without turns for ten minutes', () => {
    let now = 0
    const counts = new TurnCounts({ now: () => now })
    expect([1, 2].map(() => counts.count(context(null), 'x'))).toEqual([1, 2])
    now = 11 * 60_000
    expect(counts.count(context(null), 'x')).toBe(1)
  })
})
