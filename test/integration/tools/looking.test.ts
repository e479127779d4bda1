import { createMessages } from '../../../src-main/agent/messages'
import { createSessions } from '../../../src-main/agent/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Executions } from '../../../src-main/execution/port'
import { newId } from '../../../src-main/base/ids'
import { toolWorld, type ToolWorld } from './tool-world'

/** What tools that only look ask of the executions: there are none. */
const noExecutions = {
  actions: () => [],
  open: () => [],
  list: () => ({ executions: [], total: 0 }),
  approvalsOf: () => []
} as unknown as Executions

let world: ToolWorld
beforeAll(async () => {
  world = await toolWorld(() => noExecutions)
})
afterAll(() => world.stop())

/** Each call in a turn of its own, unless the turn is named. */
const call = (name: string, args: Record<string, unknown> = {}, messageId = newId()) =>
  world.call(name, args, { messageId })

describe('looking at the fleet of the lab', () => {
  it('every container of every host with all its figures in one call', async () => {
    const outcome = await call('list_lxcs')
    const { guests } = z
      .object({ guests: z.array(z.record(z.string(), z.unknown())) })
      .parse(outcome.structured)
    expect(new Set(guests.map((guest) => guest['node']))).toEqual(new Set(['strong', 'quiet']))
    for (const guest of guests)
      expect(Object.keys(guest)).toEqual(
        expect.arrayContaining(
          'vmid name node status cpu cpus memory maxMemory disk maxDisk uptime tags lock'.split(' ')
        )
      )
    for (const guest of guests) expect(outcome.text).toContain(String(guest['name']))
    expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(8192)
  })

  it('of one node, by node name; an unknown one is told with near names', async () => {
    expect((await call('list_lxcs', { node: 'quiet' })).text).not.toContain('strong')
    expect(await call('list_lxcs', { node: 'stong' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/host_unknown[\s\S]*strong/) as string
    })
  })

  it('one container in detail, by name, VMID or target', async () => {
    for (const target of ['caddy', '101', 'lxc:caddy', 'lxc:101@strong'])
      expect(await call('get_lxc_state', { target })).toMatchObject({
        structured: {
          target: 'lxc:101@strong',
          guest: { status: 'running', name: 'caddy' },
          config: { hostname: 'caddy', unprivileged: '1' },
          addresses: ['192.168.1.101/24']
        }
      })
    expect(await call('get_lxc_state', { target: 'cady' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Did you mean lxc:caddy?') as string
    })
    expect(await call('get_lxc_state', { target: 'host:strong' })).toMatchObject({ isError: true })
  })

  it('asking container by container is answered from the third on with the call for all', async () => {
    const turn = newId()
    const names = ['caddy', 'gitea', 'pihole', 'jellyfin']
    const outcomes = []
    for (const target of names) outcomes.push(await call('get_lxc_state', { target }, turn))
    expect(outcomes.slice(0, 2).some((outcome) => outcome.text.includes('list_lxcs'))).toBe(false)
    expect(outcomes[2]?.text).toContain('list_lxcs returns all of them in one call')
  })

  it('storages, templates, machines, hosts, and everything in one snapshot', async () => {
    expect((await call('list_storages', { node: 'strong' })).text).toMatch(
      /local-lvm +strong +lvmthin +images,rootdir/
    )
    expect((await call('list_templates')).text).toContain('local:vztmpl/debian-12-standard')
    expect((await call('list_vms')).structured).toMatchObject({ guests: [{ name: 'home-assistant' }, {}] })
    expect((await call('get_host_state', { host: 'host:strong' })).text).toMatch(/Load: .*\n.*Memory/)
    const snapshot = await call('get_state_snapshot')
    expect(snapshot.structured).toMatchObject({
      hosts: [{ name: 'strong' }, { name: 'quiet' }],
      unreachable: []
    })
    expect(snapshot.text).toMatch(/Hosts \(2\)[\s\S]*Containers[\s\S]*Virtual machines[\s\S]*Storages/)
  })

  it('entities by name with what they belong to; a name that is not unique lists the candidates', async () => {
    expect(await call('get_entity', { target: 'caddy' })).toMatchObject({
      structured: {
        entity: { id: 'lxc:101@strong', relations: [{ relation: 'runs on', id: 'host:strong' }] }
      }
    })
    expect((await call('get_entity', { target: 'local' })).text).toMatch(/storage:local@strong/)
    expect((await call('list_entities', { kind: 'vm' })).text).not.toContain('lxc:')
    expect((await call('explain', { target: 'host:quiet' })).text).toContain('runs lxc:100@quiet')
  })

  it('snapshots and tasks', async () => {
    expect((await call('list_snapshots', { target: 'lxc:caddy' })).structured).toMatchObject({
      snapshots: []
    })
    expect((await call('list_tasks', { node: 'strong' })).isError).toBeUndefined()
  })
})

describe('looking inside hosts and guests of the lab', () => {
  it('services of a container and of a host', async () => {
    expect((await call('list_services', { target: 'lxc:caddy' })).text).toMatch(/caddy +active \(running\)/)
    expect((await call('list_services', { target: 'host:strong' })).text).toContain('pvedaemon')
  })

  it('the state of one service, and that there is none', async () => {
    expect(await call('get_service_state', { target: 'lxc:caddy', service: 'caddy' })).toMatchObject({
      structured: { service: 'caddy.service', active: 'active', running: true, enabled: 'enabled' }
    })
    expect((await call('get_service_state', { target: 'lxc:caddy', service: 'nginx' })).text).toContain(
      'service_not_found'
    )
    expect((await call('get_service_state', { target: 'lxc:caddy', service: '-x; reboot' })).text).toContain(
      'invalid_arguments'
    )
  })

  it('a stopped container says that nothing can be read inside of it', async () => {
    for (const [name, more] of [
      ['list_services', {}],
      ['read_logs', {}],
      ['list_updates', {}],
      ['get_service_state', { service: 'x' }]
    ] as const)
      expect((await call(name, { target: 'lxc:paperless', ...more })).text).toContain(
        'paperless (108) is stopped'
      )
  })

  it('the journal of a service', async () => {
    const outcome = await call('read_logs', { target: 'lxc:caddy', service: 'caddy', lines: 50 })
    expect(outcome.text).toMatch(/Started caddy.service/)
    expect((await call('read_logs', { target: 'lxc:caddy', lines: 5000 })).text).toContain(
      'invalid_arguments'
    )
  })

  it('waiting updates of all running containers in one call', async () => {
    const outcome = await call('list_updates')
    expect(outcome.text).toMatch(/caddy \(lxc:101@strong\): 2 updates, 1 of them for security/)
    expect(outcome.text).not.toContain('paperless')
  })

  it('whether a web address and a port answer, seen from a host', async () => {
    expect(
      (await call('check_http', { url: 'https://media.hubris.network', from: 'host:quiet' })).structured
    ).toMatchObject({
      answered: true,
      status: 200,
      from: 'host:quiet'
    })
    expect(await call('check_http', { url: 'https://tube.hubris.network' })).toMatchObject({
      structured: { answered: false, status: null, problem: expect.stringContaining('TLS') as string }
    })
    for (const url of ['file:///etc/passwd', 'x', 'http://a:b@c', '-o/etc/passwd'])
      expect((await call('check_http', { url })).text).toContain('url_refused')
    expect((await call('check_port', { address: 'caddy', port: 443 })).structured).toMatchObject({
      open: true
    })
    expect((await call('check_port', { address: 'caddy', port: 444 })).structured).toMatchObject({
      open: false
    })
    expect((await call('check_port', { address: '$(reboot)', port: 1 })).text).toContain('invalid_arguments')
  })
})

describe('knowledge, the web and Nomos itself', () => {
  it('a note is written, found and read, without the secret in it', async () => {
    const saved = await call('add_note', {
      title: 'Backups',
      body: 'Every night at two. API_TOKEN=abcdef123456'
    })
    const { id } = z.object({ id: z.string() }).parse(saved.structured)
    expect((await call('search_knowledge', { query: 'night' })).text).toContain(id)
    const read = await call('get_document', { id })
    expect(read.text).toContain('Every night at two.')
    expect(JSON.stringify(read)).not.toContain('abcdef123456')
    expect((await call('get_document', { id: 'none' })).isError).toBe(true)
  })

  it('a search leaves out what was said in the conversation that searches, and nothing else', async () => {
    const { store } = world.client
    const said = (text: string): string => {
      const { id } = createSessions(store).create(text)
      store.transact((tx) =>
        createMessages(store).insert(tx, { sessionId: id, role: 'user', kind: 'turn', state: 'done', text })
      )
      return id
    }
    const own = said('where is the zeppelin')
    const other = said('the zeppelin is in the hangar')
    const found = await world.call('search_knowledge', { query: 'zeppelin' }, { sessionId: own })
    expect(found.structured).toMatchObject({ hits: [{ id: other, source: 'session' }] })
    expect(found.text).not.toContain(own)
  })

  it('a page on a server that nobody knows is told as such', async () => {
    const page = await call('web_fetch', { url: 'https://no-such-server.invalid/' })
    expect(page).toMatchObject({
      isError: true,
      text: expect.stringMatching(/not known[\s\S]*ask the operator/) as string
    })
  })

  it('a page is read as text from outside, ten times a turn', async () => {
    const turn = newId()
    const url = 'https://github.com/Priveetee/TypeType'
    const page = await call('web_fetch', { url }, turn)
    expect(page).toMatchObject({ taint: 'web', structured: { offset: 0 } })
    for (let more = 0; more < 9; more++) await call('web_fetch', { url }, turn)
    expect((await call('web_fetch', { url }, turn)).text).toContain('fetch_limit')
    expect((await call('web_fetch', { url: 'http://10.0.0.1/' })).isError).toBe(true)
  })

  it('B23: after text from outside was read, no address carries anything out', async () => {
    const loot = 'a1B2'.repeat(15)
    for (const [name, args] of [
      ['web_fetch', { url: `https://example.com/?q=${loot}` }],
      ['check_http', { url: `https://example.com/${loot}` }],
      ['check_port', { address: `${loot}.example.com`, port: 443 }]
    ] as const)
      expect((await world.call(name, args, { tainted: true })).text, name).toContain('url_carries_data')
  })

  it('the summary names every tool and the bulk calls first', async () => {
    const summary = await call('get_tools_summary')
    const { tools } = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(summary.structured)
    expect(tools.length).toBeGreaterThanOrEqual(34)
    for (const tool of tools) expect(summary.text).toContain(`- ${tool.name}(`)
    expect(summary.text).toMatch(/^Bulk calls first: list_lxcs/)
    expect(Buffer.byteLength(summary.text)).toBeLessThan(8192)
  })

  it('skills and sessions', async () => {
    expect((await call('list_skills')).text).toContain('session-review')
    expect((await call('load_skill', { name: 'session-review' })).text.length).toBeGreaterThan(200)
    expect((await call('load_skill', { name: '../x' })).isError).toBe(true)
    expect((await call('get_session', { session_id: 'none' })).text).toContain('session_not_found')
  })
})
