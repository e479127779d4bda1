import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GuestView } from '../../../src-preload/contract'
import { bytes, duration, table, usage } from '../../../src-main/tools/format'
import { guestNames, guestTable } from '../../../src-main/tools/fleet/known'
import { cutMiddle, fitting, plainData, plainText } from '../../../src-main/tools/text'

describe('text for the model', () => {
  it('has no escape sequences, control or invisible characters', () => {
    expect(plainText('\u001b[31mred\u001b[0m \u001b]0;title\u0007ok\u0000\u0007')).toBe('red ok')
    expect(plainText('10%\r50%\r100%\nnext\r\n')).toBe('100%\nnext\n')
    expect(plainText('a\u200bb\u202ec\u{e0041}d')).toBe('abcd')
  })

  it('has no secrets', () => {
    const text = plainText(
      'PVEAPIToken=root@pam!x=00000000-aaaa key -----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----'
    )
    expect(text).not.toMatch(/00000000|abc/)
    expect(JSON.stringify(plainData({ a: ['DB_PASSWORD=hunter22'], b: { c: 1 } }))).toBe(
      '{"a":["DB_PASSWORD=[removed]"],"b":{"c":1}}'
    )
  })

  it('keeps no control character of any input, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      })
    )
  })

  it('is cut in the middle to its size, with a note, and never inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 3000 }),
        fc.integer({ min: 200, max: 4000 }),
        (text, size) => {
          const cut = cutMiddle(text, size)
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(size)
          expect(cut.includes('\ufffd')).toBe(text.includes('\ufffd') && cut.includes('\ufffd'))
          if (Buffer.byteLength(text) <= size) expect(cut).toBe(text)
          else expect(cut).toContain('cut here')
        }
      )
    )
  })
})

describe('figures in words', () => {
  it('are short', () => {
    expect([0, 1023, 1536, 1610612736, 250 * 1024 ** 3].map(bytes)).toEqual([
      '0 B',
      '1023 B',
      '1.5 KiB',
      '1.5 GiB',
      '250 GiB'
    ])
    expect([5, 65, 7300, 90_000].map(duration)).toEqual(['5s', '1m', '2h 1m', '1d 1h'])
    expect(usage(1024, 4096)).toBe('1 KiB of 4 KiB (25%)')
    expect(table(['A', 'LONG'], [['xyz', '1']])).toBe('A    LONG\nxyz  1')
  })
})

describe('a fleet of 300 containers', () => {
  it('is told whole: by name and state when the figures do not fit', () => {
    const guests = Array.from({ length: 300 }, (_, index): GuestView => ({
      kind: 'lxc',
      vmid: 100 + index,
      name: `service-${index}`,
      node: `node${index % 3}`,
      host: null,
      cluster: 'home',
      status: 'running',
      cpu: 0.1,
      cpus: 2,
      memory: 1e9,
      maxMemory: 2e9,
      disk: 1e9,
      maxDisk: 2e9,
      uptime: 1e6,
      tags: ['web'],
      lock: null,
      template: false
    }))
    const text = fitting(
      () => guestTable(guests),
      () => guestNames(guests)
    )
    expect(cutMiddle(text)).toBe(text)
    for (const guest of guests) expect(text).toContain(`${guest.vmid} ${guest.name} running`)
    expect(
      fitting(
        () => guestTable(guests.slice(0, 20)),
        () => 'short'
      )
    ).toMatch(/^VMID/)
  })
})
