import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, nearNames } from '../../../src-main/fleet/near'
import { formatTarget, parseTarget } from '../../../src-main/fleet/target-name'

describe('names of targets', () => {
  it.each([
    ['lxc:typetype', { kind: 'lxc', id: 'typetype', node: null }],
    ['lxc:105', { kind: 'lxc', id: '105', node: null }],
    ['vm:nas@strong', { kind: 'vm', id: 'nas', node: 'strong' }],
    [' host:strong ', { kind: 'host', id: 'strong', node: null }],
    ['lxc:web.example.org@pve-1', { kind: 'lxc', id: 'web.example.org', node: 'pve-1' }]
  ])('%s is understood', (text, target) => {
    expect(parseTarget(text)).toEqual({ ok: true, value: target })
  })

  it.each([
    '',
    'typetype',
    'lxc:',
    'ct:105',
    'lxc:a b',
    'lxc:a;reboot',
    'lxc:-x',
    'host:strong@weak',
    'lxc:a@',
    'lxc:a\nb'
  ])('%j is refused with how to write it', (text) => {
    const parsed = parseTarget(text)
    expect(parsed).toMatchObject({ ok: false, error: { code: 'target_invalid' } })
    expect(!parsed.ok && parsed.error.hint).toMatch(/host:|Write/)
  })

  it('never throws, and what it accepts is written back the same and holds nothing a shell would read', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `lxc:${text}`)
        ),
        (text) => {
          const parsed = parseTarget(text)
          if (!parsed.ok) return
          expect(formatTarget(parsed.value)).toBe(text.trim())
          expect(formatTarget(parsed.value)).toMatch(/^[a-z]+:[A-Za-z0-9._@-]+$/)
        }
      )
    )
  })
})

describe('near names', () => {
  it('finds what was meant', () => {
    expect(nearNames('typtype', ['typetype', 'caddy', 'jellyfin'])).toEqual(['typetype'])
    expect(nearNames('jelly', ['jellyfin', 'caddy'])).toEqual(['jellyfin'])
    expect(nearNames('list_lxc', ['list_lxcs', 'list_vms', 'get_lxc_state'])[0]).toBe('list_lxcs')
    expect(nearNames('zzz', ['typetype', 'caddy'])).toEqual([])
  })

  it('measures a distance: none to itself, the same both ways', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
        expect(distance(a, a)).toBe(0)
        expect(distance(a, b)).toBe(distance(b, a))
      })
    )
  })
})
