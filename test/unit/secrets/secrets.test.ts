import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../src-main/base/log'
import { redact } from '../../../src-main/base/redact'
import type { Keychain } from '../../../src-main/secrets/keychain'
import { createSecrets } from '../../../src-main/secrets/secrets'

const options = {
  home: '/home/x/nomos',
  log: silentLogger,
  env: { NOMOS_TEST_KEY: 'sk-of-the-test-1', EMPTY: '' }
}

/** A keychain of the operating system as far as Nomos can see it. */
function keychain(
  entries: Map<string, string>,
  problem: () => string | null = () => null
): () => Promise<Keychain> {
  const work = <T>(value: () => T) => {
    const message = problem()
    return message === null ? Promise.resolve(value()) : Promise.reject(new Error(message))
  }
  return () =>
    work(() => ({
      get: (name) => work(() => entries.get(name) ?? null),
      set: (name, value) => work(() => void entries.set(name, value)),
      delete: (name) => work(() => entries.delete(name)),
      names: () => work(() => [...entries.keys()])
    }))
}

describe('secrets', () => {
  it('come from the environment', async () => {
    const secrets = createSecrets({ ...options, keychain: keychain(new Map()) })
    expect(await secrets.resolve('env:NOMOS_TEST_KEY')).toEqual({ ok: true, value: 'sk-of-the-test-1' })
    for (const ref of ['env:NOT_SET', 'env:EMPTY', 'keychain:none', 'plain text'])
      expect(await secrets.resolve(ref)).toMatchObject({ ok: false, error: { code: 'secret_missing' } })
  })

  it('are kept in the keychain, listed by name, and cut out of every text', async () => {
    const entries = new Map<string, string>()
    const secrets = createSecrets({ ...options, keychain: keychain(entries) })
    await secrets.set('strong', 'correct horse battery')
    expect(await secrets.resolve('keychain:strong')).toEqual({ ok: true, value: 'correct horse battery' })
    expect(await secrets.state()).toEqual({ backend: 'keychain', reason: null, names: ['strong'] })
    expect(redact('output: correct horse battery')).toBe('output: [secret removed]')
    await secrets.delete('strong')
    expect(entries.size).toBe(0)
  })

  it.each([
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', /no desktop session with a keychain/],
    ['The name org.freedesktop.secrets was not provided by any .service files', /No keychain service/],
    ['Cannot create an item in a locked collection', /locked/],
    ['libsecret-1.so.0: cannot open shared object file: No such file or directory', /not installed/]
  ])('F49: without a keychain (%s) they last for this run, with a reason', async (message, reason) => {
    const secrets = createSecrets({ ...options, keychain: keychain(new Map(), () => message) })
    expect((await secrets.state()).reason).toMatch(reason)
    expect(await secrets.set('strong', 'value of this run')).toEqual({ ok: true, value: null })
    expect(await secrets.resolve('keychain:strong')).toEqual({ ok: true, value: 'value of this run' })
    expect(await secrets.state()).toMatchObject({ backend: 'memory', names: ['strong'] })
    expect(await secrets.resolve('keychain:other')).toMatchObject({
      ok: false,
      error: { code: 'keychain_unavailable' }
    })
  })

  it('F49: a keychain that is unlocked later is used without a new start, and takes what was kept for this run', async () => {
    const entries = new Map([['strong', 'a key from before']])
    let locked = true
    const secrets = createSecrets({
      ...options,
      keychain: keychain(entries, () => (locked ? 'Cannot create an item in a locked collection' : null))
    })
    expect((await secrets.state()).backend).toBe('memory')
    await secrets.set('model', 'entered meanwhile')
    expect((await secrets.retry()).reason).toMatch(/locked/)

    locked = false
    expect(await secrets.retry()).toEqual({ backend: 'keychain', reason: null, names: ['model', 'strong'] })
    expect(entries.get('model')).toBe('entered meanwhile')
    expect(await secrets.resolve('keychain:strong')).toEqual({ ok: true, value: 'a key from before' })
  })

  it('F49: entering a secret asks a keychain that was unlocked meanwhile', async () => {
    const entries = new Map<string, string>()
    let locked = true
    const secrets = createSecrets({
      ...options,
      keychain: keychain(entries, () => (locked ? 'Cannot create an item in a locked collection' : null))
    })
    await secrets.set('first', 'value 1')
    locked = false
    await secrets.set('second', 'value 2')
    expect([...entries.keys()].sort()).toEqual(['first', 'second'])
    expect(await secrets.state()).toMatchObject({ backend: 'keychain', reason: null })
  })

  it('F49: a keychain that gets locked loses nothing', async () => {
    const entries = new Map([['strong', 'value kept']])
    let locked = false
    const secrets = createSecrets({
      ...options,
      keychain: keychain(entries, () => (locked ? 'Cannot read from a locked collection' : null))
    })
    expect(await secrets.resolve('keychain:strong')).toMatchObject({ ok: true })
    locked = true
    expect(await secrets.delete('strong')).toMatchObject({
      ok: false,
      error: { code: 'keychain_unavailable' }
    })
    expect(await secrets.resolve('keychain:strong')).toMatchObject({
      ok: false,
      error: { code: 'keychain_unavailable' }
    })
    expect(entries.get('strong')).toBe('value kept')
  })

  it('F49: a keychain that never answers does not hold the app up', async () => {
    const secrets = createSecrets({ ...options, patience: 10, keychain: () => new Promise(() => undefined) })
    expect(await secrets.state()).toMatchObject({
      backend: 'memory',
      reason: expect.stringContaining('did not answer')
    })
  })
})
