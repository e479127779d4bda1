import { describe, expect, test } from 'vitest'
import { routes, type RouteName } from '../../../src-preload/contract'
import { isRouteName } from '../../../src-preload/route-names'
import { silentLogger, type Logger } from '../../../src-main/base/log'
import { fail, ok } from '../../../src-main/base/result'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import type { HandlerMap } from '../../../src-main/ipc/handler-map'
import { createHandlers } from '../../../src-main/ipc/handlers'
import type { Services } from '../../../src-main/ipc/services'
import type { Shell } from '../../../src-main/ipc/shell'

const names = Object.keys(routes) as RouteName[]

/** Handlers that all do the same. */
const allDo = (handler: (input: unknown) => Promise<unknown>) =>
  Object.fromEntries(names.map((name) => [name, handler])) as unknown as HandlerMap

const hostile: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['a text', 'app.bootstrap'],
  ['a list', [{}]],
  ['an unknown field', { evil: true }],
  ['a field called __proto__', JSON.parse('{"__proto__":{"admin":true}}')],
  ['a field called constructor', { constructor: { prototype: { admin: true } } }],
  [
    'fields of the wrong type',
    { id: {}, url: 1, text: [], query: {}, name: null, hash: 0, host: [], lab: 'yes' }
  ],
  ['an endless text', { id: 'x'.repeat(2_000_000), text: 'x'.repeat(6_000_000), query: 'x'.repeat(500) }]
]

describe('every route', () => {
  test('has its handler, and its name passes the preload script', () => {
    const handlers = createHandlers({} as Services, {} as Shell)
    expect(Object.keys(handlers).sort()).toEqual([...names].sort())
    for (const name of names) expect(isRouteName(name)).toBe(true)
  })

  test.each(names)('%s lets no hostile input through to its handler', async (name) => {
    let reached = 0
    const dispatch = createDispatch(
      allDo(async () => ok(++reached)),
      silentLogger
    )
    for (const [what, input] of hostile) {
      const reply = await dispatch(name, input)
      expect(reply, what).toMatchObject({ ok: false, error: { code: 'input_invalid' } })
    }
    expect(reached).toBe(0)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.each(names)(
    '%s turns what its handler throws into an answer, and keeps the details in the log',
    async (name) => {
      const logged: unknown[] = []
      const log: Logger = { log: (...entry) => void logged.push(entry) }
      const thrower = async () => {
        throw new Error('secret inner detail')
      }
      // Whatever the schema says, the handler is reached: only what comes after it is looked at here.
      const dispatch = createDispatch(allDo(thrower), log)
      const reply = await dispatch(name, validInput[name])
      expect(reply).toMatchObject({ ok: false, error: { code: 'internal_error' } })
      expect(JSON.stringify(reply)).not.toContain('secret inner detail')
      expect(JSON.stringify(logged)).toContain('secret inner detail')
    }
  )
})

test('names that are no routes are refused, whatever objects inherit', async () => {
  const dispatch = createDispatch(
    allDo(async () => ok(null)),
    silentLogger
  )
  for (const name of [
    '',
    'app',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'app.bootstrap ',
    null,
    1,
    {},
    [['app.bootstrap']]
  ]) {
    expect(await dispatch(name, {})).toMatchObject({ ok: false, error: { code: 'route_unknown' } })
    expect(isRouteName(name)).toBe(false)
  }
})

test('an answer carries the value, a refusal the whole error', async () => {
  const answering = createDispatch(
    allDo(async () => ok({ seq: 7 })),
    silentLogger
  )
  expect(await answering('app.bootstrap', {})).toEqual({ ok: true, data: { seq: 7 } })
  const refusing = createDispatch(
    allDo(async () => fail('host_unknown', 'There is no such host.', 'Add it.', { name: 'x' })),
    silentLogger
  )
  expect(await refusing('app.bootstrap', {})).toEqual({
    ok: false,
    error: { code: 'host_unknown', message: 'There is no such host.', hint: 'Add it.', data: { name: 'x' } }
  })
})

test('a refused input names the fields and what is wrong with each', async () => {
  const dispatch = createDispatch(
    allDo(async () => ok(null)),
    silentLogger
  )
  const reply = await dispatch('host.add', {
    name: 'str ong',
    address: '192.0.2.1',
    port: 99999,
    identity: { agent: true }
  })
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'input_invalid', data: { fields: [{ path: 'name' }, { path: 'port' }] } }
  })
})

test('B13 a decision over a route that is not a window of the app is refused before it is looked at', async () => {
  const dispatch = createDispatch(
    allDo(async () => ok(null)),
    silentLogger
  )
  for (const route of ['notification', 'dialog', 'tray', 'chat_assent', 'window', 'policy']) {
    const reply = await dispatch('approval.decide', {
      id: 'a',
      hash: 'x'.repeat(64),
      decision: 'approve',
      route
    })
    expect(reply, route).toMatchObject({ ok: false, error: { code: 'input_invalid' } })
  }
})

const id = { id: 'x' }
const host = { name: 'strong', address: '192.0.2.1', identity: { agent: true } }
/** For each route the least that its schema lets through. */
const validInput: Record<RouteName, unknown> = {
  'app.bootstrap': {},
  'app.newest_event': {},
  'app.open_external': { url: 'https://example.org' },
  'app.copy': { text: 'x' },
  'app.show_logs': {},
  'app.shows': { page: 'ops' },
  'app.view_failed': { reason: 'x' },
  'session.create': {},
  'session.open': id,
  'session.list': {},
  'session.rename': { ...id, title: 'x' },
  'session.set_model': { ...id, model: null },
  'session.delete': id,
  'session.fork': { ...id, messageId: 'x' },
  'session.export': { ...id, format: 'json' },
  'session.import': { content: '{}' },
  'session.search': { query: 'x' },
  'session.continue': id,
  'message.send': { sessionId: 'x', text: 'x' },
  'message.edit_queued': { messageId: 'x', text: 'x' },
  'message.remove_queued': { messageId: 'x' },
  'turn.stop': { sessionId: 'x' },
  'turn.retry': { sessionId: 'x' },
  'attachment.get': id,
  'tool_call.get': id,
  'approval.decide': { ...id, hash: 'x'.repeat(64), decision: 'approve', route: 'chat' },
  'allowance.end': { id: 'a' },
  'assent.end': id,
  'action.list': {},
  'execution.request': { action: 'pct_start', target: 'lxc:x' },
  'execution.list': {},
  'execution.get': id,
  'execution.output': id,
  'execution.cancel': id,
  'execution.rerun': id,
  'audit.list': {},
  'audit.verify': {},
  'audit.export': { format: 'csv' },
  'fleet.get': {},
  'fleet.refresh': {},
  'fleet.samples': {},
  'target.detail': { target: 'lxc:caddy' },
  'target.snapshots': { target: 'lxc:caddy' },
  'target.services': { target: 'lxc:caddy' },
  'target.logs': { target: 'lxc:caddy' },
  'target.updates': { target: 'lxc:caddy' },
  'target.usage': { target: 'lxc:caddy', span: 'hour' },
  'node.tasks': { host: 'strong' },
  'node.content': { host: 'strong', storage: 'local' },
  'node.choices': { host: 'strong' },
  'host.test': host,
  'host.add': host,
  'host.remove': { name: 'strong' },
  'host.import_known_hosts': { text: '# none' },
  'host.forget_key': { host: 'strong' },
  'host.trust_key': { host: 'strong', fingerprint: 'SHA256:x' },
  'key.generate': { name: 'x' },
  'key.import': { name: 'x', privateKey: 'x' },
  'settings.get': {},
  'settings.update': {},
  'secret.set': { name: 'x', value: 'x' },
  'secret.delete': { name: 'x' },
  'secret.check': { name: 'x' },
  'secret.retry': {},
  'model.check': {},
  'model.rename': { from: 'large', to: 'huge' },
  'lab.start': {},
  'lab.stop': {},
  'mcp.list': {},
  'signal.list': {},
  'signal.acknowledge': id,
  'signal.unacknowledge': id,
  'mcp.add': { name: 'x', server: { command: 'x' } },
  'mcp.consent': { name: 'x', hash: 'a'.repeat(64) },
  'mcp.allow_tool': { server: 'x', tool: 'x', hash: 'a'.repeat(64), allowed: true },
  'mcp.reconnect': { name: 'x' },
  'mcp.remove': { name: 'x' },
  'data.backups': {},
  'data.back_up': {},
  'data.restore': { name: 'x.db' },
  'data.show_backups': {},
  'data.save_diagnostics': {},
  'knowledge.search': { query: 'x' },
  'knowledge.list': {},
  'knowledge.get': id,
  'knowledge.save_note': { title: 'x', body: '' },
  'knowledge.delete_note': id,
  'skill.list': {},
  'skill.allow': { name: 'x', hash: 'a'.repeat(64), allowed: true }
}
