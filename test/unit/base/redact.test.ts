import { describe, expect, it } from 'vitest'
import { redact, rememberSecret } from '../../../src-main/base/redact'

const canary = 'hunter2canary'
const base64 = 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29yb'

describe('what looks like a secret is removed', () => {
  it.each([
    `DB_PASSWORD=${canary}`,
    `password: ${canary}`,
    `{"password": "${canary}"}`,
    `{\\"db_password\\":\\"${canary}\\"}`,
    `PASSWORD="two words ${canary}"`,
    `wpa_psk=${canary}`,
    `passphrase: ${canary}`,
    `pass = '${canary}'`,
    `postgres://app:${canary}@db.lan/app`,
    `redis://:${canary}@db.lan`,
    `Authorization: Bearer ${canary}`,
    `{"Authorization":"Basic ${canary}"}`,
    `Set-Cookie: session=${canary}; Path=/`,
    `PVEAPIToken=root@pam!x=${canary}`,
    `github_pat_11AAAAAAAA_${canary}`,
    `hf_abcdefghij${canary}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${canary}`,
    `  root:$6$salt$${canary}:19000:0:99999:7:::`,
    `PrivateKey = ${base64.slice(0, 43)}=`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${canary}\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN RSA PRIVATE KEY-----\n${canary}`,
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${canary}\n-----END PGP PRIVATE KEY BLOCK-----`,
    `[… 100 bytes left out …]\n${base64}\n${canary}\n-----END OPENSSH PRIVATE KEY-----`
  ])('%s', (text) => {
    expect(redact(text)).not.toContain(canary)
    expect(redact(text)).not.toContain(base64.slice(0, 43))
    expect(redact(text)).toContain('removed')
  })

  it.each([
    'a',
    'a-',
    'a.',
    '_',
    'eyJ-',
    'eyJaaaaaaaaaaa.',
    'http://',
    'password="',
    '"a":',
    'aGVsbG8gd29ybGQg\n'
  ])('also in a long text of nothing but %j', (piece) => {
    expect(redact(`${piece.repeat(300_000 / piece.length)} PVEAPIToken=${canary}`)).not.toContain(canary)
  })

  it('what the program keeps as a secret, however it is written', () => {
    rememberSecret('qu"ote/and space')
    for (const text of [
      'qu"ote/and space',
      '{"key":"qu\\"ote/and space"}',
      'http://x/?k=qu%22ote%2Fand%20space'
    ])
      expect(redact(text)).toContain('[secret removed]')
  })

  it('B44 also one with half a character in it', () => {
    rememberSecret('half-\ud83d-of-it')
    expect(redact('it is half-\ud83d-of-it')).not.toContain('of-it')
  })

  it.each([
    'Failed password for root from 192.0.2.1 port 22 ssh2',
    'the token is expired',
    'A lock that is held passes: request the same step once more.',
    'surpass: nothing, compass = north',
    'https://example.com:8006/path@x',
    'net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,ip=dhcp',
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----'
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text)
  })
})
