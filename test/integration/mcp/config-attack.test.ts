import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchPath } from '../../../src-main/config/watch'
import { externalServers, isAlive, oddServer, startsOf, value } from '../../support/external-servers'
import { tempFolder } from '../../support/temp'

const write = (path: string, mcpServers: object) => writeFileSync(path, JSON.stringify({ mcpServers }))

describe('a configuration file that other programs write while the app runs', () => {
  it('B54: starts no program by itself, whatever stands in it; the operator is asked in the app', async () => {
    const folder = tempFolder()
    const { config, view, servers, reaches } = externalServers()
    const stop = watchPath(config.path, () => config.reload(), 20)
    onTestFinished(stop)
    write(config.path, { evil: oddServer(folder), web: { url: 'http://127.0.0.1:9/mcp' } })
    await vi.waitFor(() => expect(view('evil').state).toBe('unconfirmed'), { timeout: 20_000 })
    expect(view('web').state).toBe('unconfirmed')
    // Neither by being asked to connect, nor with a hash that nobody was shown.
    expect(servers.reconnect('evil').ok).toBe(false)
    expect(servers.consent('evil', 'a'.repeat(64)).ok).toBe(false)
    expect(existsSync(join(folder, 'started'))).toBe(false)

    // A server that the operator has confirmed gives nothing to another program under its name.
    value(servers.consent('evil', view('evil').hash))
    await reaches('evil', 'connected')
    const other = tempFolder()
    write(config.path, { evil: oddServer(other) })
    await vi.waitFor(() => expect(view('evil').state).toBe('unconfirmed'), { timeout: 20_000 })
    expect(existsSync(join(other, 'started'))).toBe(false)
    await vi.waitFor(() => expect(startsOf(folder).flat().some(isAlive)).toBe(false), { timeout: 20_000 })
  })

  it('B54: that flaps between right and half-written twenty times keeps what was in force, and ends with what stands in it', async () => {
    const folder = tempFolder()
    const { config, connect, view } = externalServers()
    await connect('odd', oddServer(folder))
    let told = 0
    config.onChange(() => told++)
    const whole = JSON.stringify({ mcpServers: { odd: oddServer(folder) }, assentWindowMinutes: 11 })
    for (let n = 0; n < 20; n++) {
      writeFileSync(config.path, whole.slice(0, 30 + n))
      config.reload()
      expect(Object.keys(config.get().mcpServers)).toEqual(['odd'])
      expect(config.problems()[0]?.message).toContain('what was in force before stays so')
      writeFileSync(config.path, whole)
      config.reload()
      expect(config.problems()).toEqual([])
    }
    expect(config.get().assentWindowMinutes).toBe(11)
    expect(told).toBeGreaterThan(0)
    // The server was started once and has not felt any of it; no copies were left behind.
    expect(startsOf(folder)).toHaveLength(1)
    expect(view('odd').state).toBe('connected')
    expect(readdirSync(dirname(config.path)).filter((name) => name.includes('broken'))).toEqual([])
  })

  it('B54: that has a server and has it not, again and again, leaves no program behind', async () => {
    const folder = tempFolder()
    const { config, connect, servers } = externalServers()
    await connect('odd', oddServer(folder))
    for (let n = 0; n < 20; n++) {
      write(config.path, n % 2 === 0 ? {} : { odd: oddServer(folder) })
      config.reload()
    }
    write(config.path, {})
    config.reload()
    expect(servers.list()).toEqual([])
    await servers.close()
    expect(startsOf(folder).flat().some(isAlive)).toBe(false)
  })
})
