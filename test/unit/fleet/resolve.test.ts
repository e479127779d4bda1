import { describe, expect, it } from 'vitest'
import type { GuestView } from '../../../src-preload/contract'
import { resolveIn, type KnownFleet } from '../../../src-main/fleet/resolve'
import { parseTarget } from '../../../src-main/fleet/target-name'

const guest = (
  kind: 'lxc' | 'vm',
  vmid: number,
  name: string,
  node: string,
  cluster = 'home'
): GuestView => ({
  kind,
  vmid,
  name,
  node,
  host: node === 'orphan' ? null : `h-${node}`,
  cluster,
  status: 'running',
  cpu: 0,
  cpus: 1,
  memory: 0,
  maxMemory: 1,
  disk: 0,
  maxDisk: 1,
  uptime: 1,
  tags: [],
  lock: null,
  template: false
})

const fleet = (guests: readonly GuestView[], away: readonly string[] = []): KnownFleet => ({
  configured: ['h-strong', 'h-weak', 'fresh'],
  places: [
    { host: 'h-strong', node: 'strong', cluster: 'home' },
    { host: 'h-weak', node: 'weak', cluster: 'home' }
  ],
  guests,
  errorOf: (host) => (away.includes(host) ? { code: 'host_unreachable', message: `${host} is down.` } : null)
})

const find = (known: KnownFleet, text: string) => {
  const target = parseTarget(text)
  if (!target.ok) throw new Error(target.error.message)
  return resolveIn(known, target.value)
}

const home = fleet([
  guest('lxc', 101, 'caddy', 'strong'),
  guest('lxc', 102, 'test', 'strong'),
  guest('lxc', 110, 'test', 'weak'),
  guest('vm', 200, 'nas', 'weak'),
  guest('lxc', 120, '105', 'weak'),
  guest('lxc', 130, 'lost', 'orphan')
])

describe('finding a target', () => {
  it.each([
    ['lxc:caddy', 101, 'h-strong'],
    ['lxc:CADDY', 101, 'h-strong'],
    ['lxc:101', 101, 'h-strong'],
    ['lxc:test@weak', 110, 'h-weak'],
    ['lxc:test@h-weak', 110, 'h-weak'],
    ['vm:nas', 200, 'h-weak'],
    ['lxc:105', 120, 'h-weak']
  ])('%s is VMID %i on %s', (text, vmid, host) => {
    expect(find(home, text)).toMatchObject({ ok: true, value: { host, guest: { vmid } } })
  })

  it('finds a host by its name and by the name of its node', () => {
    expect(find(home, 'host:h-strong')).toMatchObject({
      ok: true,
      value: { host: 'h-strong', node: 'strong' }
    })
    expect(find(home, 'host:weak')).toMatchObject({ ok: true, value: { host: 'h-weak', node: 'weak' } })
    expect(find(home, 'host:wek')).toMatchObject({ ok: false, error: { code: 'host_unknown', hint: /weak/ } })
  })

  it('lists the candidates of a name that is not unique', () => {
    expect(find(home, 'lxc:test')).toMatchObject({
      ok: false,
      error: { code: 'target_ambiguous', data: { candidates: ['lxc:102', 'lxc:110'] } }
    })
  })

  it('names near guests, and the right kind or node, when there is no such target', () => {
    expect(find(home, 'lxc:cady')).toMatchObject({ error: { code: 'target_not_found', hint: /lxc:caddy/ } })
    expect(find(home, 'lxc:nas')).toMatchObject({ error: { code: 'target_not_found', hint: /vm:nas/ } })
    expect(find(home, 'lxc:caddy@weak')).toMatchObject({
      error: { code: 'target_not_found', hint: /lxc:caddy/ }
    })
  })

  it('says so when a host that may have it cannot be asked, and when its own host cannot', () => {
    const blind = fleet(home.guests, ['h-weak'])
    expect(find(blind, 'lxc:gone')).toMatchObject({ error: { code: 'target_not_found', hint: /h-weak/ } })
    expect(find(blind, 'vm:nas')).toMatchObject({ error: { code: 'host_unreachable', message: /last seen/ } })
    expect(find(blind, 'host:weak')).toMatchObject({ error: { code: 'host_unreachable' } })
    expect(find(blind, 'lxc:caddy')).toMatchObject({ ok: true })
  })

  it('asks for the host of a node that is not configured', () => {
    expect(find(home, 'lxc:lost')).toMatchObject({ error: { code: 'host_unknown', message: /orphan/ } })
  })

  it('tells the same VMID of two clusters apart', () => {
    const two = fleet([guest('lxc', 101, 'a', 'strong', 'one'), guest('lxc', 101, 'b', 'weak', 'two')])
    expect(find(two, 'lxc:101')).toMatchObject({
      error: { code: 'target_ambiguous', hint: /lxc:a.*lxc:b|lxc:101@/ }
    })
    expect(find(two, 'lxc:101@weak')).toMatchObject({ ok: true, value: { cluster: 'two' } })
  })
})
