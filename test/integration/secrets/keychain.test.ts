import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { createSecrets } from '../../../src-main/secrets/secrets'
import { lockKeyring, unlockKeyring } from '../../support/keyring'

const keyringInstalled = existsSync('/usr/bin/gnome-keyring-daemon') && existsSync('/usr/bin/dbus-daemon')
const password = 'password of the keyring'
const open = (home: string) => createSecrets({ home, log: silentLogger, env: {} })

describe.skipIf(!keyringInstalled)('secrets in a real keychain (GNOME Keyring)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomos-keyring-'))
  const children: ChildProcess[] = []

  beforeAll(async () => {
    const runtime = join(folder, 'run')
    mkdirSync(runtime, { mode: 0o700 })
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore']
    })
    children.push(bus)
    const [address] = (await once(bus.stdout, 'data')) as [Buffer]
    process.env.DBUS_SESSION_BUS_ADDRESS = address.toString().trim()
    const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: runtime },
      stdio: ['pipe', 'ignore', 'ignore']
    })
    children.push(keyring)
    keyring.stdin.end(password)
    await vi.waitFor(() => expect(existsSync(join(runtime, 'keyring/control'))).toBe(true), 10_000)
  })
  afterAll(() => {
    children.forEach((child) => child.kill())
    rmSync(folder, { recursive: true, force: true })
  })

  it('outlive the app, and are kept apart by home', async () => {
    const first = open('/home/a/nomos')
    expect(await first.set('strong', 'a private key')).toEqual({ ok: true, value: null })
    expect(await first.state()).toEqual({ backend: 'keychain', reason: null, names: ['strong'] })
    expect(await open('/home/a/nomos').resolve('keychain:strong')).toEqual({
      ok: true,
      value: 'a private key'
    })
    expect(await open('/home/b/nomos').resolve('keychain:strong')).toMatchObject({
      ok: false,
      error: { code: 'secret_missing' }
    })
    await first.delete('strong')
    expect((await open('/home/a/nomos').state()).names).toEqual([])
  })

  it('F49: one that is unlocked after the start is noticed when it is tried again', async () => {
    const secrets = createSecrets({ home: '/home/c/nomos', log: silentLogger, env: {}, patience: 500 })
    await lockKeyring()
    expect(await secrets.set('late', 'entered while it was locked')).toMatchObject({ ok: true })
    expect((await secrets.state()).backend).toBe('memory')
    await unlockKeyring(password)
    expect(await secrets.retry()).toMatchObject({ backend: 'keychain', names: ['late'] })
    expect(await open('/home/c/nomos').resolve('keychain:late')).toMatchObject({
      value: 'entered while it was locked'
    })
  })
})
