import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { generateKey } from '../../../src-main/ssh/key-format'
import type { HostConfig } from '../../../src-preload/contract'
import { startSshClient } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'

let sshd: Sshd
beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(() => sshd.stop())

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../node_modules/ssh2/test/fixtures/keyParser', name), 'utf8')

/** A key file made by ssh-keygen, with its public line. */
function keygen(name: string, ...args: string[]): { file: string; publicKey: string } {
  const file = join(sshd.folder, name)
  execFileSync('ssh-keygen', ['-q', '-f', file, '-C', name, ...args])
  return { file, publicKey: readFileSync(`${file}.pub`, 'utf8').trim() }
}

async function logIn(identity: HostConfig['identity'], env: NodeJS.ProcessEnv = {}) {
  const { ssh, secrets, stop } = startSshClient([sshd.hostConfig('strong', { identity })], { env })
  await secrets.set('kept', keptKey)
  const outcome = await ssh.exec('strong', ['echo', 'in'])
  await stop()
  return outcome
}
let keptKey = ' '
const welcome = { ok: true, value: { stdout: 'in\n' } }

describe('logging in with a key', () => {
  it.each([
    ['Ed25519', ['-t', 'ed25519', '-N', '']],
    ['ECDSA', ['-t', 'ecdsa', '-b', '384', '-N', '']],
    ['RSA', ['-t', 'rsa', '-b', '2048', '-N', '']],
    ['RSA in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '']],
    ['ECDSA in PKCS#8', ['-t', 'ecdsa', '-m', 'PKCS8', '-N', '']],
    ['RSA in PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8', '-N', '']]
  ])('%s', async (name, args) => {
    const { file, publicKey } = keygen(name.replace(/\W/g, '_'), ...args)
    sshd.authorize([publicKey])
    expect(await logIn({ keyFile: file })).toMatchObject(welcome)
  })

  it.each([
    ['Ed25519', ['-t', 'ed25519']],
    ['RSA in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['ECDSA in PKCS#8', ['-t', 'ecdsa', '-m', 'PKCS8']]
  ])('%s with a passphrase', async (name, args) => {
    const { file, publicKey } = keygen(`encrypted_${name.replace(/\W/g, '_')}`, ...args, '-N', 'open sesame')
    sshd.authorize([publicKey])
    const env = { RIGHT: 'open sesame', WRONG: 'open barley' }
    expect(await logIn({ keyFile: file, passphrase: 'env:RIGHT' }, env)).toMatchObject(welcome)
    const refused = (reason: string) => ({ ok: false, error: { code: 'key_unreadable', data: { reason } } })
    expect(await logIn({ keyFile: file, passphrase: 'env:WRONG' }, env)).toMatchObject(
      refused('passphrase_wrong')
    )
    expect(await logIn({ keyFile: file })).toMatchObject(refused('passphrase_missing'))
    expect(await logIn({ keyFile: file, passphrase: 'env:UNSET' })).toMatchObject({
      ok: false,
      error: { code: 'secret_missing' }
    })
  })

  it('Ed25519 in PKCS#8', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const file = join(sshd.folder, 'pkcs8_ed25519')
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { x } = createPrivateKey(readFileSync(file)).export({ format: 'jwk' })
    const blob = Buffer.concat([
      Buffer.from([0, 0, 0, 11]),
      Buffer.from('ssh-ed25519'),
      Buffer.from([0, 0, 0, 32]),
      Buffer.from(x ?? '', 'base64url')
    ])
    sshd.authorize([`ssh-ed25519 ${blob.toString('base64')}`])
    expect(await logIn({ keyFile: file })).toMatchObject(welcome)
  })

  it('PuTTY’s', async () => {
    const file = join(sshd.folder, 'key.ppk')
    writeFileSync(file, fixture('ppk_rsa'))
    const { ssh, stop } = startSshClient([sshd.hostConfig('strong', { identity: { keyFile: file } })])
    sshd.authorize([])
    const refused = await ssh.exec('strong', ['true'])
    const publicKey = refused.ok ? '' : String(refused.error.data?.publicKey)
    await stop()
    sshd.authorize([publicKey])
    // The fixture has 1024 bits, which sshd refuses by default.
    expect(refused).toMatchObject({ ok: false, error: { code: 'auth_failed' } })
    expect(publicKey).toMatch(/^ssh-rsa AAAA/)
  })

  it('with CRLF line ends', async () => {
    const { file, publicKey } = keygen('crlf', '-t', 'ed25519', '-N', '')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
    sshd.authorize([publicKey])
    expect(await logIn({ keyFile: file })).toMatchObject(welcome)
  })

  it('from the keychain, made by the app', async () => {
    const { privateKey, publicKey } = generateKey('nomos')
    keptKey = privateKey
    sshd.authorize([publicKey])
    expect(await logIn({ keychain: 'kept' })).toMatchObject(welcome)
    expect(await logIn({ keychain: 'absent' })).toMatchObject({
      ok: false,
      error: { code: 'keychain_unavailable' }
    })
  })

  it('that is not there', async () => {
    expect(await logIn({ keyFile: '/no/such/key' })).toMatchObject({
      ok: false,
      error: { code: 'key_unreadable', message: expect.stringContaining('/no/such/key') }
    })
  })
})

describe('logging in with the SSH agent', () => {
  let agent: ChildProcess
  let socket: string
  beforeAll(async () => {
    socket = join(sshd.folder, 'agent.sock')
    agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
    const { file, publicKey } = keygen('agent_key', '-t', 'ed25519', '-N', '')
    sshd.authorize([publicKey])
    await vi.waitFor(
      () =>
        execFileSync('ssh-add', ['-q', file], {
          env: { ...process.env, SSH_AUTH_SOCK: socket },
          stdio: 'ignore'
        }),
      { timeout: 20_000 }
    )
  })
  afterAll(() => agent.kill())

  it('works', async () => {
    expect(await logIn({ agent: true }, { SSH_AUTH_SOCK: socket })).toMatchObject(welcome)
  })

  it('says when there is none, or it does not answer', async () => {
    expect(await logIn({ agent: true })).toMatchObject({ ok: false, error: { code: 'key_unreadable' } })
    expect(await logIn({ agent: true }, { SSH_AUTH_SOCK: '/no/agent' })).toMatchObject({
      ok: false,
      error: { code: 'auth_failed', message: expect.stringContaining('SSH agent') }
    })
  })
})
