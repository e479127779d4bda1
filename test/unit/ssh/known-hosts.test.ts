import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, parseKnownHosts } from '../../../src-main/ssh/known-hosts'
import { generateKey } from '../../../src-main/ssh/key-format'

const [, blob] = generateKey('').publicKey.split(' ')
const key = `ssh-ed25519 ${blob ?? ''}`
const isAbout = (names: string, address: string, port = 22) =>
  parseKnownHosts(`${names} ${key}`).lines.some((line) => matches(line, address, port))

function hashed(name: string): string {
  const salt = randomBytes(20)
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}

describe('a line of known_hosts', () => {
  it.each([
    ['strong', 'strong', 22, true],
    ['STRONG', 'strong', 22, true],
    ['strong', 'strong', 2222, false],
    ['[strong]:2222', 'strong', 2222, true],
    ['a,strong,192.0.2.10', '192.0.2.10', 22, true],
    ['192.0.2.*', '192.0.2.10', 22, true],
    ['node?', 'node1', 22, true],
    ['node?', 'node10', 22, false],
    ['*.example,!bad.example', 'good.example', 22, true],
    ['*.example,!bad.example', 'bad.example', 22, false],
    [hashed('strong'), 'strong', 22, true],
    [hashed('[strong]:2222'), 'strong', 2222, true],
    [hashed('other'), 'strong', 22, false]
  ])('%s is about %s, port %i: %s', (names, address, port, expected) => {
    expect(isAbout(names, address, port)).toBe(expected)
  })

  it('tells marked, commented and unreadable ones apart', () => {
    const text = [
      '# comment',
      '',
      `@revoked strong ${key}`,
      `@cert-authority *.example ${key} a comment`,
      `@strange strong ${key}`,
      'strong ssh-ed25519 not-base64',
      `strong ssh-rsa ${blob ?? ''}`,
      `strong ${key}`
    ].join('\r\n')
    const { lines, unreadable } = parseKnownHosts(text)
    expect(lines.map((line) => line.marker)).toEqual(['revoked', 'cert-authority', null])
    expect(unreadable).toEqual([5, 6, 7])
  })

  it('is matched as OpenSSH’s patterns are, whatever the stars', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(pattern, letters, (glob, name) => {
        const source = glob.replace(/[.*?]/g, (sign) => ({ '.': '\\.', '*': '.*', '?': '.' })[sign] ?? sign)
        expect(isAbout(glob, name)).toBe(new RegExp(`^${source}$`).test(name))
      })
    )
  })
})
