import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkExternalUrl } from '../../../src-main/desktop/external-url'

test.each([
  'file:///etc/passwd',
  'smb://server/share',
  'ms-msdt:/id PCWDiagnostic',
  'ms-msdt:/id',
  'javascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>',
  'ftp://example.org/',
  'ssh://root@strong',
  'app://nomos/',
  'nomos://approve?id=1',
  'https://a@b',
  'https://a:b@c/',
  'https://@example.org/',
  'https:@example.org',
  'https://example.org\\@evil.example/',
  'https://еxample.org/',
  'https://xn--xample-2of.org/',
  'https://example.org/a b',
  'https://example.org/\n',
  ' https://example.org/',
  'https://example.org/\u202etxt.exe',
  'https://example.org/\u200b',
  'https://',
  'https:///',
  'example.org',
  '//example.org',
  '',
  `https://example.org/${'a'.repeat(2048)}`
])('B20 %j is not opened', (address) => {
  expect(checkExternalUrl(address)).toMatchObject({ ok: false, error: { code: 'url_refused' } })
})

test.each([
  ['https://pve.proxmox.com/wiki/Linux_Container#pct', 'https://pve.proxmox.com/wiki/Linux_Container#pct'],
  ['http://192.0.2.10:8006/', 'http://192.0.2.10:8006/'],
  ['https://example.org/a?mail=me@example.org', 'https://example.org/a?mail=me@example.org'],
  ['HTTPS://Example.ORG', 'https://example.org/']
])('%s is opened as it stands', (address, opened) => {
  expect(checkExternalUrl(address)).toEqual({ ok: true, value: opened })
})

test('B20 what is opened is always a plain web address', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.webUrl(),
    fc.string().map((rest) => `https://${rest}`)
  )
  fc.assert(
    fc.property(text, (address) => {
      const checked = checkExternalUrl(address)
      if (!checked.ok) return true
      const url = new URL(checked.value)
      return (
        /^https?:$/.test(url.protocol) &&
        url.username === '' &&
        url.hostname !== '' &&
        !/[\s\p{C}]/u.test(checked.value)
      )
    })
  )
})
