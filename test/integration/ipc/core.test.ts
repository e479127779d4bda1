import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  routes,
  type Reply,
  type RouteInput,
  type RouteName,
  type RouteOutput
} from '../../../src-preload/contract'
import { systemClock } from '../../../src-main/base/clock'
import { silentLogger } from '../../../src-main/base/log'
import { createCore, type Core } from '../../../src-main/core'
import { createDispatch, type Dispatch } from '../../../src-main/ipc/dispatch'
import { createHandlers } from '../../../src-main/ipc/handlers'
import { watchSettings } from '../../../src-main/ipc/settings-view'
import { agreeableShell } from '../../support/shell'

let home: string
let core: Core
let dispatch: Dispatch
let stopWatching: () => Promise<void>
const ask = async <R extends RouteName>(route: R, input: RouteInput<R>) =>
  (await dispatch(route, input)) as Reply<RouteOutput<R>>

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'nomos-ipc-'))
  writeFileSync(join(home, 'nomos.config.json'), '{ "assentWindowMinutes": 7 }')
  const built = createCore({
    home,
    appFolder: resolve(import.meta.dirname, '../../..'),
    version: '0.0.0-test',
    logsFolder: join(home, 'logs'),
    // No session bus: secrets are kept in memory, as on a machine without a keychain.
    env: { NOMOS_LAB_PACE: '0.05', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
    clock: systemClock,
    log: silentLogger
  })
  if (!built.ok) throw new Error(built.error.message)
  core = built.value
  stopWatching = watchSettings(core)
  dispatch = createDispatch(createHandlers(core, agreeableShell()), silentLogger)
})
afterAll(async () => {
  await stopWatching()
  await core.close()
  rmSync(home, { recursive: true, force: true })
})

const host = (name: string, more: object = {}) => ({
  name,
  address: '127.0.0.1',
  port: 9,
  identity: { agent: true as const },
  ...more
})

describe('the requests of a window, answered by the real core', () => {
  test('a further model that is renamed in the settings takes its sessions along; one that is gone is told in the session', async () => {
    const large = {
      name: 'large',
      provider: 'openai-compatible' as const,
      model: 'x-large',
      contextWindow: 9000
    }
    await ask('settings.update', { models: [large] })
    const made = await ask('session.create', { model: 'large' })
    if (!made.ok) throw new Error(made.error.message)
    const { id } = made.data
    expect(await ask('model.rename', { from: 'none', to: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'model_unknown' }
    })
    expect(await ask('model.rename', { from: 'large', to: 'huge' })).toMatchObject({
      ok: true,
      data: { config: { models: [{ name: 'huge', model: 'x-large', contextWindow: 9000 }] } }
    })
    expect(await ask('session.open', { id })).toMatchObject({
      ok: true,
      data: { session: { model: 'huge' } }
    })
    // In the file nobody says what became of it.
    await ask('settings.update', { models: [{ ...large, name: 'other' }] })
    await ask('message.send', { sessionId: id, text: 'hello' })
    await vi.waitFor(async () =>
      expect(await ask('session.open', { id })).toMatchObject({
        data: {
          session: { model: 'huge', state: 'failed' },
          messages: [
            { role: 'user' },
            {
              parts: [
                { type: 'notice', offers: ['usual_model', 'settings'], error: { code: 'model_unknown' } }
              ]
            }
          ]
        }
      })
    )
    await ask('settings.update', { models: [] })
    await ask('session.delete', { id })
  })

  test('a window starts with everything, as of one event', async () => {
    const reply = await ask('app.bootstrap', {})
    expect(reply).toMatchObject({
      ok: true,
      data: { version: '0.0.0-test', settings: { config: { assentWindowMinutes: 7 }, labRunning: false } }
    })
    expect(reply.ok && reply.data.seq).toBe(core.store.bus.seq)
    expect(structuredClone(reply)).toEqual(reply)
  })

  test('B54 a change of one setting keeps the others, and every window hears of it', async () => {
    const heard: string[] = []
    core.store.bus.subscribe(({ event }) => heard.push(event.type))
    await ask('host.add', host('kept'))
    const reply = await ask('settings.update', { approvalExpiryMinutes: 30 })
    expect(reply).toMatchObject({
      ok: true,
      data: { config: { approvalExpiryMinutes: 30, assentWindowMinutes: 7, hosts: [{ name: 'kept' }] } }
    })
    await vi.waitFor(() => expect(heard).toContain('settings.changed'))
    expect(await ask('host.remove', { name: 'kept' })).toMatchObject({ ok: true })
  })

  test('a page adds no program to this machine: not with the settings, and not without the system’s dialog', async () => {
    const server = { command: '/bin/sh', args: ['-c', 'touch /tmp/owned'], env: {} }
    const smuggled = { mcpServers: { evil: server } } as RouteInput<'settings.update'>
    expect(await ask('settings.update', smuggled)).toMatchObject({
      ok: false,
      error: { code: 'input_invalid' }
    })
    expect(core.config.get().mcpServers).toEqual({})

    const declining = createDispatch(
      createHandlers(core, agreeableShell({ confirmProgram: async () => false })),
      silentLogger
    )
    const added = await ask('mcp.add', { name: 'evil', server })
    const hash = added.ok ? added.data.hash : ''
    expect(await declining('mcp.consent', { name: 'evil', hash })).toMatchObject({
      ok: false,
      error: { code: 'declined' }
    })
    expect(await ask('mcp.list', {})).toMatchObject({ data: [{ name: 'evil', state: 'unconfirmed' }] })
    await ask('mcp.remove', { name: 'evil' })
  })

  test('hosts are added and removed one by one; what would break another is refused', async () => {
    expect(await ask('host.add', host('gate'))).toMatchObject({ ok: true })
    expect(await ask('host.add', host('gate'))).toMatchObject({ ok: false, error: { code: 'host_exists' } })
    expect(await ask('host.add', host('inner', { jump: 'nowhere' }))).toMatchObject({
      error: { code: 'host_unknown' }
    })
    expect(await ask('host.add', host('inner', { jump: 'gate' }))).toMatchObject({ ok: true })
    expect(await ask('host.remove', { name: 'gate' })).toMatchObject({ error: { code: 'host_in_use' } })
    expect(await ask('host.remove', { name: 'other' })).toMatchObject({ error: { code: 'host_unknown' } })
    expect(await ask('host.remove', { name: 'inner' })).toMatchObject({ ok: true })
    expect(await ask('host.remove', { name: 'gate' })).toMatchObject({ ok: true })
    const settings = await ask('settings.get', {})
    expect(settings.ok && settings.data.config.hosts).toEqual([])
  })

  test('a secret is set by name, and no answer carries its value', async () => {
    const value = 'a-very-secret-value-1234'
    const set = await ask('secret.set', { name: 'model-key', value })
    expect(set).toMatchObject({ ok: true, data: { secrets: { names: ['model-key'] } } })
    const everything = [
      set,
      await ask('settings.get', {}),
      await ask('app.bootstrap', {}),
      await ask('audit.list', {})
    ]
    expect(JSON.stringify(everything)).not.toContain(value)
    expect(await ask('secret.delete', { name: 'model-key' })).toMatchObject({
      data: { secrets: { names: [] } }
    })
  })

  test('B28 a request for a host that is not registered is refused where it was made', async () => {
    expect(await ask('execution.request', { action: 'pct_start', target: 'lxc:105@nowhere' })).toMatchObject({
      ok: false
    })
    expect(await ask('execution.request', { action: 'no_such_action', target: 'host:strong' })).toMatchObject(
      { ok: false }
    )
    const list = await ask('execution.list', {})
    expect(list).toMatchObject({ ok: true, data: { total: 0 } })
  })

  test('what does not exist has a clear answer on every route that takes an id', async () => {
    const id = 'no-such-thing'
    const replies = [
      await ask('session.open', { id }),
      await ask('session.rename', { id, title: 'x' }),
      await ask('session.delete', { id }),
      await ask('session.fork', { id, messageId: id }),
      await ask('session.export', { id, format: 'json' }),
      await ask('session.continue', { id }),
      await ask('message.send', { sessionId: id, text: 'hello' }),
      await ask('message.edit_queued', { messageId: id, text: 'x' }),
      await ask('message.remove_queued', { messageId: id }),
      await ask('turn.retry', { sessionId: id }),
      await ask('tool_call.get', { id }),
      await ask('approval.decide', { id, hash: 'x'.repeat(64), decision: 'approve', route: 'chat' }),
      await ask('assent.end', { id }),
      await ask('execution.get', { id }),
      await ask('execution.output', { id }),
      await ask('execution.cancel', { id }),
      await ask('execution.rerun', { id }),
      await ask('knowledge.get', { id }),
      await ask('host.trust_key', { host: id, fingerprint: 'SHA256:x' })
    ]
    for (const reply of replies) {
      expect(reply.ok).toBe(false)
      if (!reply.ok) expect(reply.error.code).not.toBe('internal_error')
      if (!reply.ok) expect(reply.error.message).not.toBe('')
    }
  })

  test('no input, however strange, ends in an error of Nomos itself', async () => {
    // Those that go out to a network or wait for one are asked elsewhere.
    const local = (Object.keys(routes) as RouteName[]).filter(
      (route) =>
        !/^(app\.(open|show)|fleet\.refresh|host\.(test|add)|model\.|lab\.|message\.send|turn\.|key\.)/.test(
          route
        )
    )
    const word = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40 }),
      fc.constantFrom("';--", '"*', 'NEAR(', '\0', '\ud83d', '%', 'a AND', '-')
    )
    const input = fc.record(
      {
        id: word,
        messageId: word,
        sessionId: word,
        query: word,
        text: word,
        title: word,
        body: word,
        name: word,
        host: word,
        fingerprint: word,
        action: word,
        target: word,
        format: fc.constantFrom('json', 'csv', 'markdown'),
        decision: fc.constantFrom('approve', 'deny'),
        route: fc.constantFrom('chat', 'ops'),
        hash: fc.string({ minLength: 8, maxLength: 64 }),
        value: word,
        limit: fc.integer({ min: 1, max: 200 })
      },
      { requiredKeys: [] }
    )
    const fieldsOf = (route: RouteName) =>
      Object.keys((routes[route].input as unknown as { shape: object }).shape)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...local), input, async (route, fields) => {
        const own = Object.fromEntries(
          Object.entries(fields).filter(([name]) => fieldsOf(route).includes(name))
        )
        const reply = await dispatch(route, own)
        expect(reply.ok ? 'answered' : reply.error.code).not.toBe('internal_error')
      }),
      { numRuns: 600 }
    )
  })
})
