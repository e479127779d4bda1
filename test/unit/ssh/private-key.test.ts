import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { generateKey } from '../../../src-main/ssh/key-format'
import { readPrivateKey } from '../../../src-main/ssh/private-key'
import { sshString } from '../../../src-main/ssh/wire'

const folder = mkdtempSync(join(tmpdir(), 'nomos-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../node_modules/ssh2/test/fixtures/keyParser', name), 'utf8')
const refused = (reason: string) => ({ ok: false, error: { code: 'key_unreadable', data: { reason } } })

describe('a key made by the app', () => {
  it('is a key to OpenSSH, with its comment', () => {
    const { privateKey, publicKey } = generateKey('nomos strong')
    const file = join(folder, 'made')
    writeFileSync(file, privateKey, { mode: 0o600 })
    expect(execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim()).toBe(publicKey)
    expect(publicKey).toMatch(/^ssh-ed25519 AAAA\S+ nomos strong$/)
  })

  it('can be read back, each time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (comment) => {
        const { privateKey, publicKey } = generateKey(comment)
        const read = readPrivateKey(privateKey)
        expect(read.ok && read.value.publicLine.split(' ').slice(0, 2)).toEqual(
          publicKey.split(' ').slice(0, 2)
        )
      }),
      { numRuns: 300 }
    )
  })
})

describe('B46: a private key that is pasted or chosen', () => {
  it.each([
    ['PuTTY', 'ppk_rsa', undefined, false],
    ['PuTTY, encrypted', 'ppk_rsa_enc', 'node.js', true],
    ['PEM', 'openssh_old_rsa', undefined, false],
    ['PEM, encrypted', 'openssh_old_rsa_enc', 'password', true],
    ['OpenSSH', 'openssh_new_ed25519', undefined, false],
    ['OpenSSH, encrypted', 'openssh_new_ecdsa_enc', 'password', true],
    ['OpenSSH, encrypted with GCM', 'openssh_new_rsa_enc_gcm', 'password', true]
  ])('in the format %s is read', (_, name, passphrase, encrypted) => {
    const read = readPrivateKey(fixture(name), passphrase)
    expect(read).toMatchObject({ ok: true, value: { encrypted } })
    if (passphrase === undefined) return
    expect(readPrivateKey(fixture(name))).toMatchObject(refused('passphrase_missing'))
    expect(readPrivateKey(fixture(name), 'wrong')).toMatchObject(refused('passphrase_wrong'))
  })

  it.each([
    ['nothing', '  \n', 'empty'],
    ['more than 1 MB', 'x'.repeat(1024 * 1024 + 1), 'too_large'],
    ['a public key', generateKey('x').publicKey, 'public_key'],
    ['a public key of a security key', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaA==', 'public_key'],
    ['a public key in PEM', '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----', 'public_key'],
    ['a public key in RFC 4716', fixture('rfc4716_rsa.pub'), 'public_key'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', 'certificate'],
    ['a DSA key', fixture('openssh_new_dsa'), 'dsa'],
    ['an encrypted DSA key', fixture('openssh_new_dsa_enc'), 'dsa'],
    ['a DSA key in PEM', fixture('openssh_old_dsa'), 'dsa'],
    ['a DSA key of PuTTY', fixture('ppk_dsa_enc'), 'dsa'],
    ['a PuTTY key of version 3', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', 'putty_v3'],
    ['a key of a security key', securityKey(), 'security_key'],
    [
      'a key without its last line',
      fixture('openssh_new_ed25519').trim().split('\n').slice(0, -1).join('\n'),
      'truncated'
    ],
    ['a key with a line missing', withoutLine(fixture('openssh_new_rsa'), 5), 'truncated'],
    ['a PEM key with a line missing', withoutLine(fixture('openssh_old_rsa'), 5), 'truncated'],
    ['something else', 'hello', 'unknown_format']
  ])('that is %s is refused with the reason', (_, text, reason) => {
    expect(readPrivateKey(text)).toMatchObject(refused(reason))
  })

  it('with CRLF, a byte order mark and blank lines around it is read', () => {
    const text = `\uFEFF\r\n${fixture('openssh_new_ed25519').replaceAll('\n', '\r\n')}\r\n\r\n`
    expect(readPrivateKey(text)).toMatchObject({ ok: true })
  })

  it('never makes the reader throw', () => {
    const key = fixture('openssh_new_ecdsa')
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.nat(40), fc.string({ maxLength: 5 }), (at, length, insert) => {
        readPrivateKey(key.slice(0, at) + insert + key.slice(at + length), 'x')
      })
    )
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readPrivateKey(text)))
  })
})

function withoutLine(text: string, line: number): string {
  return text
    .split('\n')
    .filter((_, index) => index !== line)
    .join('\n')
}

/** The start of what ssh-keygen -t ed25519-sk writes, as far as the type of the key. */
function securityKey(): string {
  const blob = Buffer.concat([
    sshString('sk-ssh-ed25519@openssh.com'),
    sshString(Buffer.alloc(32)),
    sshString('ssh:')
  ])
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    sshString('none'),
    sshString('none'),
    sshString(''),
    Buffer.from([0, 0, 0, 1]),
    sshString(blob),
    sshString(Buffer.alloc(64))
  ])
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`
}
