import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClusterStatus, readResources, readVersion } from '../../../src-main/fleet/proxmox'

const caddy = {
  id: 'lxc/101',
  type: 'lxc',
  vmid: 101,
  node: 'strong',
  name: 'caddy',
  status: 'running',
  cpu: 0.02,
  maxcpu: 2,
  mem: 1000,
  maxmem: 2000,
  disk: 300,
  maxdisk: 900,
  uptime: 60,
  template: 0,
  tags: 'web;proxy'
}

describe('what Proxmox lists', () => {
  it('reads guests, nodes and storages of one answer', () => {
    const facts = readResources([
      caddy,
      {
        type: 'qemu',
        vmid: '200',
        node: 'weak',
        name: 'nas',
        status: 'stopped',
        maxcpu: '4',
        maxmem: '8',
        template: '1',
        lock: 'backup'
      },
      { type: 'node', node: 'strong', status: 'online', cpu: 0.1, maxcpu: 8, mem: 1, maxmem: 2, uptime: 9 },
      {
        type: 'storage',
        storage: 'local',
        node: 'strong',
        status: 'available',
        plugintype: 'dir',
        content: 'vztmpl,iso',
        shared: 0,
        disk: 1,
        maxdisk: 2
      },
      { type: 'sdn', sdn: 'localnetwork', node: 'strong' },
      { type: 'pool', pool: 'x' }
    ])
    expect(facts?.guests).toMatchObject([
      { kind: 'lxc', vmid: 101, name: 'caddy', tags: ['web', 'proxy'], lock: null, template: false, cpus: 2 },
      { kind: 'vm', vmid: 200, status: 'stopped', cpus: 4, template: true, lock: 'backup', tags: [] }
    ])
    expect(facts?.nodes).toMatchObject([{ node: 'strong', status: 'online' }])
    expect(facts?.storages).toMatchObject([
      { name: 'local', type: 'dir', content: ['iso', 'vztmpl'], active: true, shared: false }
    ])
  })

  it('takes a guest of unknown status without a name as there, not as gone', () => {
    const facts = readResources([{ type: 'lxc', vmid: 101, node: 'weak', status: 'unknown' }])
    expect(facts?.guests).toMatchObject([{ vmid: 101, name: null, status: 'unknown' }])
  })

  it('leaves out an entry it cannot read and keeps the others', () => {
    expect(
      readResources([null, 5, { type: 'lxc' }, { type: 'lxc', vmid: 'x', node: 'n' }, caddy])?.guests
    ).toHaveLength(1)
    expect(readResources({ data: [] })).toBeNull()
  })

  it('knows which node answers and whether it is by itself', () => {
    const nodes = [
      { type: 'node', name: 'weak', local: 0 },
      { type: 'node', name: 'strong', local: 1 }
    ]
    expect(readClusterStatus([{ type: 'cluster', name: 'home' }, ...nodes])).toEqual({
      node: 'strong',
      cluster: 'home'
    })
    expect(readClusterStatus(nodes.slice(1))).toEqual({ node: 'strong', cluster: null })
    expect(readClusterStatus([])).toBeNull()
    expect(readVersion({ version: '9.0.3' })).toBe('9.0.3')
    expect(readVersion([])).toBeNull()
  })

  it('never throws, whatever it is given', () => {
    const nearly = fc.record(
      {
        type: fc.constantFrom('lxc', 'qemu', 'node', 'storage', 'x'),
        vmid: fc.anything(),
        node: fc.anything(),
        tags: fc.anything(),
        cpu: fc.anything(),
        content: fc.anything(),
        status: fc.anything(),
        name: fc.anything()
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.oneof(nearly, fc.anything()))), (answer) => {
        const facts = readResources(answer)
        for (const guest of facts?.guests ?? []) expect(Number.isFinite(guest.cpu)).toBe(true)
        readClusterStatus(answer)
        readVersion(answer)
      })
    )
  })
})
