import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FleetView } from '../../../src-preload/contract'
import { fleetOf, standInNode, type StandInNode } from './stand-in'

const resources = '/cluster/resources'
const lxc = (vmid: number, node: string, name: string | null, more = {}) => ({
  type: 'lxc',
  vmid,
  node,
  status: name === null ? 'unknown' : 'running',
  ...(name !== null && { name }),
  ...more
})
const node = (name: string) => ({
  type: 'node',
  node: name,
  status: 'online',
  cpu: 0.5,
  maxcpu: 8,
  mem: 1,
  maxmem: 2,
  uptime: 9
})
const clusterOf = (local: string) => [
  { type: 'cluster', name: 'home' },
  ...['strong', 'weak'].map((name) => ({ type: 'node', name, local: Number(name === local) }))
]
const all = [node('strong'), node('weak'), lxc(101, 'strong', 'caddy'), lxc(110, 'weak', 'typetype')]

let strong: StandInNode
let weak: StandInNode
let lone: StandInNode
let world: ReturnType<typeof fleetOf>

beforeAll(async () => {
  ;[strong, weak, lone] = await Promise.all([standInNode(), standInNode(), standInNode()])
})
afterAll(() => Promise.all([strong, weak, lone].map((each) => each.stop())))

beforeEach(() => {
  for (const [each, name] of [
    [strong, 'strong'],
    [weak, 'weak']
  ] as const) {
    each.answer('/cluster/status', clusterOf(name))
    each.answer('/version', { version: '9.0.3' })
    each.answer(resources, all)
    each.release()
    each.calls()
  }
  lone.answer('/cluster/status', [{ type: 'node', name: 'strong', local: 1 }])
  lone.answer(resources, [node('strong'), lxc(101, 'strong', 'other')])
  lone.calls()
  world = fleetOf([strong.sshd.hostConfig('a'), weak.sshd.hostConfig('b'), lone.sshd.hostConfig('c')])
})
afterEach(() => world.stop())

describe('discovery of the fleet', () => {
  it('asks each host once who it is, and then one call a cluster', async () => {
    await world.fleet.refresh()
    expect(strong.calls().sort()).toEqual([resources, '/cluster/status', '/version'])
    expect(weak.calls().sort()).toEqual(['/cluster/status', '/version'])
    await world.fleet.refresh()
    expect(strong.calls()).toEqual([resources])
    expect(weak.calls()).toEqual([])
    expect(world.fleet.guests()).toMatchObject([
      { vmid: 101, name: 'caddy', host: 'a', node: 'strong', cluster: 'home' },
      { vmid: 110, name: 'typetype', host: 'b', node: 'weak', cluster: 'home' },
      // A node by itself is its own cluster, also when its name is that of a node elsewhere.
      { vmid: 101, name: 'other', host: 'c', node: 'strong', cluster: 'strong' }
    ])
    expect(world.fleet.hosts()[0]).toMatchObject({
      name: 'a',
      node: 'strong',
      version: '9.0.3',
      cpus: 8,
      error: null
    })
  })

  it('is told to whoever listens', async () => {
    const told: FleetView[] = []
    world.client.store.bus.subscribe(({ event }) => event.type === 'fleet.changed' && told.push(event.fleet))
    await world.fleet.refresh()
    expect(told.at(-1)?.guests).toHaveLength(3)
    expect(told.at(-1)?.refreshedAt).not.toBeNull()
  })

  it('whoever asks while a question is under way gets the answer of one asked afterwards', async () => {
    await world.fleet.refresh()
    strong.calls()
    strong.hold()
    const first = world.fleet.refresh()
    await vi.waitFor(() => expect(strong.calls()).toEqual([resources]), { timeout: 10_000 })
    strong.answer(resources, [...all, lxc(120, 'strong', 'new')])
    const later = [world.fleet.refresh(), world.fleet.refresh('a'), world.fleet.refresh()]
    strong.release()
    const names = (view: Awaited<typeof first>) =>
      view.ok ? view.value.guests.map((guest) => guest.name) : []
    expect(names(await first)).not.toContain('new')
    for (const view of await Promise.all(later)) expect(names(view)).toContain('new')
    expect(strong.calls()).toEqual([resources])
  })

  it('keeps a guest and its name while its node does not tell them', async () => {
    await world.fleet.refresh()
    strong.answer(resources, [
      node('strong'),
      lxc(101, 'strong', 'caddy'),
      lxc(110, 'weak', null),
      lxc(130, 'weak', null)
    ])
    await world.fleet.refresh()
    expect(world.fleet.guests()).toMatchObject([
      { name: 'caddy' },
      { vmid: 110, name: 'typetype', status: 'unknown' },
      { vmid: 130, name: '130', status: 'unknown' },
      { name: 'other' }
    ])
  })

  it('finds a target that was made a moment ago', async () => {
    await world.fleet.refresh()
    strong.answer(resources, [...all, lxc(120, 'weak', 'new')])
    expect(await world.fleet.resolve('lxc:new')).toMatchObject({
      ok: true,
      value: { host: 'b', guest: { vmid: 120 } }
    })
    expect(await world.fleet.resolve('lxc:nev')).toMatchObject({
      ok: false,
      error: { code: 'target_not_found', hint: expect.stringContaining('lxc:new') as string }
    })
  })

  it('takes what is there from another host of the cluster when the first fails', async () => {
    await world.fleet.refresh()
    strong.answer(resources, 'not json')
    weak.answer(resources, [...all, lxc(121, 'weak', 'late')])
    await world.fleet.refresh()
    expect(world.fleet.guests().map((guest) => guest.name)).toContain('late')
    expect(world.fleet.hosts()[0]?.error).toMatchObject({ code: 'pvesh_failed' })
    // Its Proxmox does not answer, but it can be worked on.
    expect(await world.fleet.resolve('host:a')).toMatchObject({ ok: true, value: { node: 'strong' } })
  })

  it('reads the answer also when a login script prints lines before it', async () => {
    strong.answer('/cluster/status', `Welcome [home]!\n${JSON.stringify(clusterOf('strong'))}`)
    await world.fleet.refresh()
    expect(world.fleet.hosts()[0]).toMatchObject({ node: 'strong' })
  })

  it('forgets hosts that are no longer configured', async () => {
    await world.fleet.refresh()
    world.configure([strong.sshd.hostConfig('a')])
    expect(world.fleet.hosts().map((host) => host.name)).toEqual(['a'])
    expect(world.fleet.guests().map((guest) => guest.cluster)).toEqual(['home', 'home'])
    expect(world.fleet.guests()[1]).toMatchObject({ name: 'typetype', host: null })
    expect(await world.fleet.refresh('c')).toMatchObject({ ok: false, error: { code: 'host_unknown' } })
  })

  it('a host that cannot be reached keeps what was known, marked so, and is asked again', async () => {
    await world.fleet.refresh()
    await lone.sshd.halt()
    world.client.ssh.disconnect('c')
    expect(await world.fleet.refresh('c')).toMatchObject({ ok: false, error: { code: 'host_unreachable' } })
    expect(world.fleet.guests().map((guest) => guest.name)).toEqual(['caddy', 'typetype', 'other'])
    expect(world.fleet.hosts()[2]).toMatchObject({ node: 'strong', error: { code: 'host_unreachable' } })
    expect(await world.fleet.resolve('lxc:other')).toMatchObject({
      ok: false,
      error: { code: 'host_unreachable' }
    })
    expect(await world.fleet.resolve('lxc:caddy')).toMatchObject({ ok: true })
    await lone.sshd.start()
    await vi.waitFor(async () => expect(await world.fleet.refresh('c')).toMatchObject({ ok: true }), {
      timeout: 20_000
    })
    expect(world.fleet.hosts()[2]?.error).toBeNull()
  })

  it('a host without Proxmox VE is reachable, and a target all the same', async () => {
    const plain = await standInNode({ proxmox: false })
    const only = fleetOf([plain.sshd.hostConfig('plain')])
    await only.fleet.refresh()
    expect(only.fleet.hosts()[0]).toMatchObject({ connection: 'reachable', node: null, error: null })
    expect(await only.fleet.resolve('host:plain')).toMatchObject({
      ok: true,
      value: { host: 'plain', node: 'plain' }
    })
    expect(await only.fleet.pvesh('plain', '/version')).toMatchObject({
      ok: false,
      error: { code: 'not_proxmox' }
    })
    await only.stop()
    await plain.stop()
  })
})
