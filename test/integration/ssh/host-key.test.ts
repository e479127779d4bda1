import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Audit } from '../../../src-main/store/audit'
import { startSshClient, type TestSsh } from '../../support/ssh-client'
import { startSshd, type Sshd } from '../../support/sshd'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

function client(...args: Parameters<typeof startSshClient>): TestSsh {
  const started = startSshClient(...args)
  stops.push(started.stop)
  return started
}

async function server(...args: Parameters<typeof startSshd>): Promise<Sshd> {
  const started = await startSshd(...args)
  stops.push(started.stop)
  return started
}

const logins = (sshd: Sshd) => sshd.log().filter((line) => line.startsWith('Accepted')).length

describe('a host key that is not known', () => {
  it('is offered and trusted before anything is sent', async () => {
    const sshd = await server()
    const { ssh, offers } = client([sshd.hostConfig('strong', { hostKey: undefined })])
    const offer = {
      host: 'strong',
      type: 'ssh-ed25519',
      fingerprint: sshd.hostKeyFingerprint,
      expected: null
    }
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_key_unknown', data: offer }
    })
    expect(offers).toEqual([offer])
    expect(logins(sshd)).toBe(0)
    expect(ssh.trustedKey('strong')).toBeNull()

    expect(ssh.trust('strong', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', false)).toMatchObject({
      ok: false,
      error: { code: 'host_key_not_offered' }
    })
    expect(ssh.trust('strong', sshd.hostKeyFingerprint, false)).toEqual({ ok: true, value: null })
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    expect(ssh.trustedKey('strong')).toBe(sshd.hostKeyFingerprint)
  })

  it('is offered by the test of a host that is not stored yet', async () => {
    const sshd = await server()
    const { ssh } = client([])
    const config = sshd.hostConfig('new', { hostKey: undefined })
    expect(await ssh.probe(config)).toMatchObject({ ok: false, error: { code: 'host_key_unknown' } })
    ssh.trust('new', sshd.hostKeyFingerprint, false)
    expect(await ssh.probe(config)).toMatchObject({
      ok: true,
      value: { fingerprint: sshd.hostKeyFingerprint, code: 0 }
    })
  })
})

describe('a host key that has changed', () => {
  it('blocks the host until it is replaced', async () => {
    const sshd = await server()
    const { ssh, offers } = client([sshd.hostConfig('strong', { hostKey: undefined })])
    await ssh.exec('strong', ['true'])
    const before = sshd.hostKeyFingerprint
    ssh.trust('strong', before, false)
    await ssh.exec('strong', ['true'])
    ssh.disconnect('strong')
    sshd.replaceHostKey()
    await sshd.restart()
    const loginsBefore = logins(sshd)

    const after = sshd.hostKeyFingerprint
    const blocked = {
      ok: false,
      error: { code: 'host_key_changed', data: { expected: before, fingerprint: after } }
    }
    expect(await ssh.exec('strong', ['true'])).toMatchObject(blocked)
    expect(await ssh.exec('strong', ['true'])).toMatchObject(blocked)
    expect(ssh.connection('strong')).toBe('blocked')
    expect(offers.at(-1)).toMatchObject({ expected: before, fingerprint: after })
    expect(ssh.trust('strong', after, false)).toMatchObject({
      ok: false,
      error: { code: 'host_key_changed' }
    })
    expect(ssh.trustedKey('strong')).toBe(before)
    expect(logins(sshd)).toBe(loginsBefore)

    expect(ssh.trust('strong', after, true)).toMatchObject({ ok: true })
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
  })

  it('blocks a pinned host, whatever is trusted', async () => {
    const [sshd, other] = [await server(), await server()]
    const { ssh } = client([sshd.hostConfig('strong', { hostKey: other.hostKeyFingerprint })])
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_key_changed' }
    })
    expect(ssh.trust('strong', sshd.hostKeyFingerprint, true)).toMatchObject({
      ok: false,
      error: { code: 'host_key_pinned' }
    })
    expect(logins(sshd)).toBe(0)
  })

  it('is told from one of another type that came in its place', async () => {
    const sshd = await server({ hostKeys: ['rsa'] })
    const ed25519 = await server({ hostKeys: ['ed25519'] })
    const started = client([sshd.hostConfig('strong', { hostKey: undefined })])
    await started.ssh.exec('strong', ['true'])
    started.ssh.trust('strong', sshd.hostKeyFingerprint, false)
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    started.configure([ed25519.hostConfig('strong', { hostKey: undefined })])
    expect(await started.ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: {
        code: 'host_key_changed',
        data: { expected: sshd.hostKeyFingerprint, fingerprint: ed25519.hostKeyFingerprint }
      }
    })
  })
})

describe('a host with several keys', () => {
  it('is asked for the one that is trusted', async () => {
    const sshd = await server({ hostKeys: ['rsa', 'ecdsa', 'ed25519'] })
    const { ssh } = client([sshd.hostConfig('strong')])
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    ssh.disconnect('strong')
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
  })
})

describe('known_hosts', () => {
  it('is imported: the keys it trusts are trusted, hashed or not', async () => {
    const sshd = await server({ hostKeys: ['ed25519', 'rsa'] })
    const file = join(sshd.folder, 'known_hosts')
    const keys = ['ed25519', 'rsa'].map((type) => readFileSync(join(sshd.folder, `host_${type}.pub`), 'utf8'))
    writeFileSync(file, keys.map((key) => `[127.0.0.1]:${sshd.port} ${key}`).join(''))
    execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' })
    const { ssh } = client([sshd.hostConfig('strong', { hostKey: undefined })])
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('|1|')
    const imported = ssh.importKnownHosts(text)
    expect(imported).toMatchObject({ hosts: [{ host: 'strong', outcome: 'imported' }], unreadable: [] })
    expect(imported.hosts[0]?.fingerprints).toContain(sshd.hostKeyFingerprint)
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    expect(ssh.importKnownHosts(text).hosts).toMatchObject([{ outcome: 'same' }])
  })

  it('says of every host what became of it, and why', async () => {
    const sshd = await server({ hostKeys: ['ed25519'] })
    const other = await server()
    const key = readFileSync(join(sshd.folder, 'host_ed25519.pub'), 'utf8').trim()
    const { ssh } = client([
      sshd.hostConfig('fresh', { hostKey: undefined }),
      sshd.hostConfig('pinned'),
      sshd.hostConfig('elsewhere', { hostKey: undefined, port: 1 }),
      sshd.hostConfig('revoked', { hostKey: undefined, port: 2 }),
      sshd.hostConfig('vouched', { hostKey: undefined, port: 3 }),
      other.hostConfig('other', { hostKey: undefined })
    ])
    await ssh.exec('other', ['true'])
    ssh.trust('other', other.hostKeyFingerprint, false)
    const text = [
      `[127.0.0.1]:${sshd.port} ${key}`,
      `@revoked [127.0.0.1]:2 ${key}`,
      `@cert-authority [127.0.0.1]:3 ${key}`,
      `[127.0.0.1]:${other.port} ${key}`,
      'nonsense'
    ].join('\n')
    const { hosts, unreadable } = ssh.importKnownHosts(text)
    expect(Object.fromEntries(hosts.map(({ host, outcome }) => [host, outcome]))).toEqual({
      ...{ fresh: 'imported', pinned: 'pinned', elsewhere: 'absent', revoked: 'revoked' },
      ...{ vouched: 'authority', other: 'other_key' }
    })
    expect(unreadable).toEqual([5])
    expect(ssh.trustedKey('other')).toBe(other.hostKeyFingerprint)
  })
})

describe('every decision about a key', () => {
  it('is an event and an entry of the audit trail: trusted, replaced, forgotten, imported', async () => {
    const sshd = await server({ hostKeys: ['ed25519'] })
    const { ssh, store } = client([sshd.hostConfig('strong', { hostKey: undefined })])
    const told: unknown[] = []
    store.bus.subscribe(({ event }) => event.type === 'host.key_decided' && told.push(event))
    const fingerprint = sshd.hostKeyFingerprint

    await ssh.exec('strong', ['true'])
    expect(ssh.trust('strong', fingerprint, false)).toMatchObject({ ok: true })
    expect(await ssh.exec('strong', ['true'])).toMatchObject({ ok: true })
    expect(ssh.forgetKey('strong')).toMatchObject({ ok: true })
    expect(ssh.trustedKey('strong')).toBeNull()
    expect(await ssh.exec('strong', ['true'])).toMatchObject({
      ok: false,
      error: { code: 'host_key_unknown' }
    })
    expect(ssh.forgetKey('strong')).toMatchObject({ ok: false, error: { code: 'host_key_not_trusted' } })
    const key = readFileSync(join(sshd.folder, 'host_ed25519.pub'), 'utf8')
    ssh.importKnownHosts(`[127.0.0.1]:${sshd.port} ${key}`)

    const decisions = ['trusted', 'forgotten', 'imported']
    expect(told).toEqual(
      decisions.map((decision) => ({ type: 'host.key_decided', host: 'strong', decision, fingerprint }))
    )
    const trail = new Audit(store.db, store.clock)
    expect(trail.list({ about: 'hosts' }).map(({ kind, subject }) => [kind, subject])).toEqual(
      decisions.toReversed().map((decision) => [`host_key.${decision}`, 'strong'])
    )
    expect(trail.verify().ok).toBe(true)
  })
})
