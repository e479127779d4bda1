import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openConfig } from '../../../src-main/config/config'
import { configPath } from '../../../src-main/config/path'
import { overlay } from '../../../src-main/config/overlay'
import { defaultConfig, parseConfig } from '../../../src-main/config/parse'
import { watchPath } from '../../../src-main/config/watch'
import type { Config, HostConfig } from '../../../src-preload/contract'

const strong: HostConfig = {
  name: 'strong',
  address: '192.0.2.10',
  port: 22,
  user: 'root',
  identity: { keyFile: '~/.ssh/id_ed25519' },
  sudo: false
}
const rock: HostConfig = { ...strong, name: 'rock', address: '192.0.2.11' }

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nomos-config-'))
  path = join(folder, 'nomos.config.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (content: unknown) => writeFileSync(path, JSON.stringify(content))
const written = (): unknown => JSON.parse(readFileSync(path, 'utf8'))

describe('the path of the configuration', () => {
  it('is NOMOS_CONFIG, or a file in the home folder', () => {
    expect(configPath('/home/x', { NOMOS_CONFIG: '/etc/nomos.json' })).toBe('/etc/nomos.json')
    expect(configPath('/home/x', { NOMOS_CONFIG: '' })).toBe('/home/x/nomos.config.json')
  })
})

describe('reading the configuration', () => {
  it('starts with the defaults when there is no file, and writes none', () => {
    const config = openConfig(path)
    expect(config.get()).toEqual(defaultConfig())
    expect(config.problems()).toEqual([])
    expect(existsSync(path)).toBe(false)
  })

  it('B54: names a wrong or unknown field with its path and starts without it', () => {
    write({ assentWindowMinutes: 'long', colour: 'blue', lab: true, version: 9 })
    const config = openConfig(path)
    expect(config.get()).toEqual({ ...defaultConfig(), lab: true })
    expect(config.problems().map((problem) => problem.path)).toEqual([
      'colour',
      'version',
      'assentWindowMinutes'
    ])
  })

  it('B54: takes no name of JavaScript itself for a field', () => {
    writeFileSync(path, '{ "constructor": 1, "__proto__": { "lab": true }, "toString": [] }')
    const config = openConfig(path)
    expect(config.get()).toEqual(defaultConfig())
    expect(config.problems().map((problem) => problem.path)).toEqual(['constructor', '__proto__', 'toString'])
  })

  it('B54: reads hosts one by one and leaves out the wrong ones', () => {
    write({
      hosts: [
        { name: 'strong', address: '192.0.2.10', identity: { keyFile: '~/.ssh/id_ed25519' } },
        { name: 'rock', address: '192.0.2.11', identity: { agent: true }, port: '22' },
        { name: 'pi', address: '192.0.2.12', identity: { keyfile: '/key' } },
        { name: 'strong', address: '192.0.2.13', identity: { agent: true } }
      ]
    })
    const config = openConfig(path)
    expect(config.get().hosts).toEqual([strong])
    expect(config.problems()).toEqual([
      { path: 'hosts[1].port', message: expect.stringContaining('expected number') },
      { path: 'hosts[2].identity.keyFile', message: expect.stringContaining('expected string') },
      { path: 'hosts[2].identity.keyfile', message: 'unknown field' },
      { path: 'hosts[3].name', message: 'another host has this name' }
    ])
  })

  it('B54: reads further models one by one; a wrong one, or one with a name that is taken, is left out and stays in the file', () => {
    const large = { name: 'large', provider: 'anthropic' as const, model: 'l' }
    const wrong = { name: 'wrong', provider: 'openai-compatible', model: 'm', baseURL: 'ftp://host' }
    write({ models: [large, wrong, { ...large, model: 'other' }, { provider: 'anthropic', model: 'x' }] })
    const config = openConfig(path)
    expect(config.get().models).toEqual([{ ...large, contextWindow: 128_000 }])
    expect(config.problems()).toEqual([
      expect.objectContaining({ path: 'models[1].baseURL' }),
      { path: 'models[2].name', message: 'another model has this name' },
      expect.objectContaining({ path: 'models[3].name' })
    ])
    config.update({ models: [...config.get().models, { ...large, name: 'small', contextWindow: 8000 }] })
    const names = (JSON.parse(readFileSync(path, 'utf8')) as { models: { name?: string }[] }).models.map(
      ({ name }) => name
    )
    expect(names).toEqual(['large', 'small', 'wrong', 'large', undefined])
  })

  it.each([
    ['127.0.0.1:8000', false],
    ['api.example.com/v1', false],
    ['file:///etc/passwd', false],
    ['http://127.0.0.1:8000/v1', true],
    ['https://example.com/a/path/v1', true]
  ])('B45: the base URL %s is checked', (baseURL, good) => {
    write({ model: { provider: 'openai-compatible', model: 'm', baseURL } })
    const config = openConfig(path)
    expect(config.get().model !== undefined).toBe(good)
    expect(config.problems()).toEqual(good ? [] : [expect.objectContaining({ path: 'model.baseURL' })])
  })

  it('takes a model whole or not at all: a wrong address must not send its key elsewhere', () => {
    write({
      model: { provider: 'openai-compatible', model: 'm', baseURL: '127.0.0.1:8000', apiKey: 'env:KEY' }
    })
    const config = openConfig(path)
    expect(config.get().model).toBeUndefined()
    expect(config.problems()).toEqual([expect.objectContaining({ path: 'model.baseURL' })])
  })

  it('takes a policy whole or not at all: a misspelt target must not make it broader', () => {
    write({
      policies: [
        { taget: 'lxc:web', decision: 'allow' },
        { target: 'lxc:*', decision: 'ask' }
      ]
    })
    const config = openConfig(path)
    expect(config.get().policies).toEqual([{ target: 'lxc:*', decision: 'ask' }])
    expect(config.problems()).toEqual([{ path: 'policies[0].taget', message: 'unknown field' }])
  })

  it('falls back to the default of a single setting of a group', () => {
    write({
      signals: { enabled: false, intervalSeconds: 1 },
      appearance: { theme: 'dark', font: 'x' },
      webFetch: { allowPrivate: ['127.0.0.1:80', 7] },
      gateway: { http: { enabled: true, port: -1 } }
    })
    const config = openConfig(path)
    expect(config.get().signals).toEqual({ enabled: false, intervalSeconds: 60 })
    expect(config.get().appearance).toEqual({ ...defaultConfig().appearance, theme: 'dark' })
    expect(config.get().webFetch.allowPrivate).toEqual(['127.0.0.1:80'])
    expect(config.get().gateway.http).toEqual({ enabled: true, port: 0 })
    expect(
      config
        .problems()
        .map((problem) => problem.path)
        .sort()
    ).toEqual(['appearance.font', 'gateway.http.port', 'signals.intervalSeconds', 'webFetch.allowPrivate[1]'])
  })

  it('leaves out one external server and keeps the other', () => {
    write({ mcpServers: { good: { command: 'x' }, bad: { args: [] } } })
    const config = openConfig(path)
    expect(Object.keys(config.get().mcpServers)).toEqual(['good'])
    expect(config.problems()[0]?.path).toMatch(/^mcpServers\.bad/)
  })

  it('accepts a byte order mark and a $schema', () => {
    writeFileSync(path, '\uFEFF{"$schema": "x", "lab": true}')
    const config = openConfig(path)
    expect(config.get().lab).toBe(true)
    expect(config.problems()).toEqual([])
  })

  it('survives any JSON object with a valid configuration and named problems', () => {
    const anything = fc.dictionary(
      fc.constantFrom(...Object.keys(defaultConfig()), 'model', 'other', '__proto__'),
      fc.jsonValue()
    )
    fc.assert(
      fc.property(anything, (raw) => {
        const { config, problems } = parseConfig(raw)
        expect(parseConfig({ ...config }).problems).toEqual([])
        for (const problem of problems) expect(problem.path).not.toBe('')
      })
    )
  })
})

describe('changing the configuration', () => {
  it('writes only what was changed, keeps unknown fields, and tells the listeners', () => {
    write({ colour: 'blue', hosts: [{ name: 'strong', address: '192.0.2.10', identity: strong.identity }] })
    const config = openConfig(path)
    const seen: Config[] = []
    config.onChange((now) => seen.push(now))
    expect(config.update({ hosts: [strong, rock] }).ok).toBe(true)
    expect(written()).toEqual({
      colour: 'blue',
      hosts: [{ name: 'strong', address: '192.0.2.10', identity: strong.identity }, rock]
    })
    expect(config.get().hosts).toEqual([strong, rock])
    expect(seen).toEqual([config.get()])
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(readdirSync(folder)).toEqual(['nomos.config.json'])
  })

  it('keeps a host that was left out because it is wrong, so that it can be corrected', () => {
    const wrong = { name: 'pi', address: '192.0.2.12', port: 'x', identity: { agent: true } }
    write({ hosts: [wrong] })
    const config = openConfig(path)
    config.update({ hosts: [strong] })
    expect(written()).toEqual({ hosts: [strong, wrong] })
    expect(config.get().hosts).toEqual([strong])
  })

  it('takes in what the operator edited meanwhile', () => {
    write({ lab: false })
    const config = openConfig(path)
    write({ approvalExpiryMinutes: 5 })
    config.update({ assentWindowMinutes: 10 })
    expect(config.get()).toMatchObject({ approvalExpiryMinutes: 5, assentWindowMinutes: 10 })
  })

  it('removes a field that is set to undefined', () => {
    write({ model: { provider: 'anthropic', model: 'm' } })
    const config = openConfig(path)
    config.update({ model: undefined })
    expect(written()).toEqual({})
  })

  it('refuses an invalid change and leaves the file alone', () => {
    write({ lab: true })
    const config = openConfig(path)
    expect(config.update({ assentWindowMinutes: 0 })).toMatchObject({
      ok: false,
      error: { code: 'config_invalid' }
    })
    expect(written()).toEqual({ lab: true })
  })

  it('B54: a half-written file leaves the defaults in force and is kept as a copy before it is overwritten', () => {
    for (const [index, half] of ['{"hosts": [{"na', ''].entries()) {
      writeFileSync(path, half)
      const config = openConfig(path)
      expect(config.get()).toEqual(defaultConfig())
      expect(config.problems()).toHaveLength(1)
      expect(config.update({ lab: true }).ok).toBe(true)
      expect(readFileSync(`${path}.broken-${index + 1}`, 'utf8')).toBe(half)
      expect(written()).toEqual({ lab: true })
    }
  })

  it('B54: a file edited while the app runs is read anew: what is right is in force, what is wrong is named', () => {
    write({ hosts: [strong] })
    const config = openConfig(path)
    const seen: number[] = []
    config.onChange((now) => seen.push(now.assentWindowMinutes))
    config.reload()
    expect(seen).toEqual([])
    write({ hosts: [strong], assentWindowMinutes: 12, approvalExpiryMinutes: 'soon' })
    config.reload()
    expect(seen).toEqual([12])
    expect(config.problems()).toMatchObject([{ path: 'approvalExpiryMinutes' }])
  })

  it('B54: a file that is half-written while the app runs changes nothing, and no setting in the app loses what it said', () => {
    write({ hosts: [strong], assentWindowMinutes: 12 })
    const config = openConfig(path)
    writeFileSync(path, '{ "hosts": [{ "name": "str')
    config.reload()
    expect(config.get()).toMatchObject({ hosts: [strong], assentWindowMinutes: 12 })
    expect(config.problems()[0]?.message).toMatch(/cannot be read.*in force before/)
    expect(config.update({ lab: true }).ok).toBe(true)
    expect(written()).toEqual({ hosts: [strong], assentWindowMinutes: 12, lab: true })
    expect(readFileSync(`${path}.broken-1`, 'utf8')).toBe('{ "hosts": [{ "name": "str')
  })

  it('B54: an edit of the file that was not read yet survives a change in the app', () => {
    write({ lab: false })
    const config = openConfig(path)
    write({ lab: false, assentWindowMinutes: 12 })
    config.update({ approvalExpiryMinutes: 30 })
    expect(written()).toEqual({ lab: false, assentWindowMinutes: 12, approvalExpiryMinutes: 30 })
    expect(config.get().assentWindowMinutes).toBe(12)
  })

  it.each(['written', 'replaced', 'removed', 'made'])('notices that the file was %s', async (how) => {
    if (how !== 'made') writeFileSync(path, '{}')
    let noticed = 0
    const stop = watchPath(path, () => void (existsSync(path) === (how !== 'removed') && noticed++), 20)
    onTestFinished(stop)
    // The first look is what later ones are compared with; a removal before it is made anew.
    await vi.waitFor(() => {
      if (how === 'removed' && existsSync(path)) rmSync(path)
      else if (how === 'removed') writeFileSync(path, '{}')
      else if (how === 'replaced') {
        writeFileSync(`${path}.new`, '{ "lab": true }')
        renameSync(`${path}.new`, path)
      } else writeFileSync(path, '{ "lab": false }\n')
      expect(noticed).toBeGreaterThan(0)
    })
  })

  it('B54: a file without an end, or one that is none, is named and does not stop the app', () => {
    for (const endless of ['/dev/zero', folder]) {
      symlinkSync(endless, path)
      const config = openConfig(path)
      expect(config.problems()[0]?.message).toContain('cannot be read')
      rmSync(path)
    }
    writeFileSync(path, JSON.stringify({ theme: 'dark', padding: 'x'.repeat(6_000_000) }))
    expect(openConfig(path).problems()[0]?.message).toContain('larger than 5 MB')
  })

  it('says so when the file cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    const config = openConfig(join(folder, 'file', 'nomos.config.json'))
    expect(config.update({ lab: true })).toMatchObject({ ok: false, error: { code: 'config_unwritable' } })
  })

  it('writes through a symbolic link', () => {
    const real = join(folder, 'real.json')
    writeFileSync(real, '{}')
    symlinkSync(real, path)
    openConfig(path).update({ lab: true })
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ lab: true })
  })
})

describe('the lab’s layer over the configuration', () => {
  const labHost: HostConfig = { ...strong, address: '127.0.0.1', port: 2222 }
  const model: NonNullable<Config['model']> = {
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:9',
    model: 'scripted',
    contextWindow: 128_000
  }

  it('adds its hosts, stands in for the model, and leaves the file untouched', () => {
    write({ hosts: [strong, rock] })
    const file = openConfig(path)
    let layer: Partial<Config> | null = null
    const config = overlay(file, () => layer)
    const seen: string[][] = []
    config.onChange((now) => seen.push(now.hosts.map((host) => `${host.name}:${host.port}`)))
    expect(config.get()).toEqual(file.get())
    layer = { hosts: [labHost], model }
    config.refresh()
    expect(config.get().hosts).toEqual([rock, labHost])
    expect(config.get().model).toEqual(model)
    expect(written()).toEqual({ hosts: [strong, rock] })
    layer = null
    config.refresh()
    expect(seen).toEqual([
      ['rock:22', 'strong:2222'],
      ['strong:22', 'rock:22']
    ])
  })

  it('writes a new host to the file, and never its own', () => {
    write({ hosts: [strong] })
    const config = overlay(openConfig(path), () => ({ hosts: [labHost], model }))
    const updated = config.update({ ...config.get(), hosts: [...config.get().hosts, rock] })
    expect(updated).toMatchObject({ ok: true, value: { hosts: [rock, labHost] } })
    expect(written()).toMatchObject({ hosts: [rock, strong] })
    expect(written()).not.toHaveProperty('model')
  })
})
