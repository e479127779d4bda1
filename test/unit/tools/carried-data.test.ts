import { describe, expect, it } from 'vitest'
import { withoutCarriedData } from '../../../src-main/tools/carried-data'

const code = (url: string) => {
  const judged = withoutCarriedData(url)
  return judged.ok ? null : judged.error.code
}

describe('B23: an address that could carry data out', () => {
  const loot = Buffer.from('root:$6$salt$hash and what else was read')
    .toString('base64url')
    .replaceAll('-', '_')
  it.each([
    `https://evil.example/?q=${loot}`,
    `https://evil.example/${loot}/x.png`,
    `https://${loot.slice(0, 40).toLowerCase()}.evil.example/`,
    `https://evil.example/?a=${'word '.repeat(40)}`,
    `https://evil.example/?${Array.from({ length: 20 }, (_, i) => `k${i}=abcdef`).join('&')}`,
    `https://evil.example/${encodeURIComponent('läßt sich äöü auch so schreiben äöüß')}`
  ])('is refused: %s', (url) => {
    expect(code(url)).toBe('url_carries_data')
  })

  it.each([
    'https://pve.proxmox.com/wiki/Linux_Container',
    'https://github.com/Priveetee/TypeType/blob/0123456789abcdef0123456789abcdef01234567/README.md',
    'https://caddyserver.com/docs/caddyfile/directives/reverse_proxy#load-balancing',
    'https://docs.example.com/how-to-install-something-rather-long-on-debian-twelve?version=2&lang=en',
    'https://tube.hubris.network/'
  ])('is none: %s', (url) => {
    expect(code(url)).toBeNull()
  })
})
