import { describe, expect, it } from 'vitest'
import { fit, wordsOf } from '../../../src-renderer/lib/fuzzy'
import { readableConfig } from '../../../src-renderer/lib/guest-config'
import { asTree } from '../../../src-renderer/lib/snapshot-tree'
import { rangeOf, sparkPaths } from '../../../src-renderer/lib/spark'

describe('a configuration as one reads it', () => {
  it('begins with what matters and takes volumes and networks apart', () => {
    const entries = readableConfig({
      arch: 'amd64',
      net0: 'name=eth0,bridge=vmbr0,ip=dhcp',
      memory: '2048',
      rootfs: 'local-lvm:vm-101-disk-0,size=8G',
      hostname: 'caddy',
      onboot: '1',
      mp1: '/srv/media,mp=/media,ro=1',
      description: 'the%20proxy%0A'
    })
    expect(entries.map(({ key }) => key).slice(0, 5)).toEqual([
      'hostname',
      'memory',
      'rootfs',
      'net0',
      'onboot'
    ])
    const partsOf = (key: string) => entries.find((entry) => entry.key === key)?.parts
    expect(partsOf('net0')).toEqual([
      { name: '', value: 'eth0' },
      { name: 'bridge', value: 'vmbr0' },
      { name: 'ip', value: 'dhcp' }
    ])
    expect(partsOf('memory')).toEqual([{ name: '', value: '2 GiB' }])
    expect(partsOf('onboot')).toEqual([{ name: '', value: 'yes' }])
    expect(partsOf('mp1')?.at(-1)).toEqual({ name: 'ro', value: 'yes' })
    expect(partsOf('description')).toEqual([{ name: '', value: 'the proxy' }])
  })
})

describe('snapshots as a tree', () => {
  const snapshot = (name: string, parent: string | null) => ({ name, parent, description: '', takenAt: null })
  const drawn = (...all: [string, string | null][]) =>
    asTree(all.map(([name, parent]) => snapshot(name, parent))).map(({ name, depth }) => `${depth} ${name}`)

  it('one after the other they are a list; only branches go deeper', () => {
    expect(drawn(['a', null], ['b', 'a'], ['c', 'b'])).toEqual(['0 a', '0 b', '0 c'])
    expect(drawn(['a', null], ['b', 'a'], ['c', 'a'], ['d', 'b'])).toEqual(['0 a', '1 b', '1 d', '1 c'])
  })

  it('none is lost: not with a parent that is gone, nor with parents that name each other', () => {
    expect(drawn(['b', 'gone'])).toEqual(['0 b'])
    expect(drawn(['a', 'b'], ['b', 'a'])).toHaveLength(2)
  })
})

describe('a line of samples', () => {
  it('has a gap where nothing was measured', () => {
    const { line } = sparkPaths([0, 1, null, 1, 1], 1, 100, 20)
    expect(line).toBe('M0 20L25 0M75 0L100 0')
    expect(rangeOf([null, 0.2, 0.1, null])).toEqual({ now: 0.1, low: 0.1, high: 0.2 })
    expect(rangeOf([null])).toBeNull()
  })
})

describe('what was typed fits', () => {
  const score = (query: string, text: string) => fit(wordsOf(query), text)

  it('words in any order, the beginning of one, and letters that were left out', () => {
    for (const query of ['restart caddy', 'caddy restart', 'rest cad', 'cdy', 'caddy'])
      expect(score(query, 'Restart caddy lxc:101@strong'), query).toBeGreaterThan(0)
    for (const query of ['restart nginx', 'xyz', 'yddac'])
      expect(score(query, 'Restart caddy'), query).toBe(0)
  })

  it('the whole word is better than its beginning, and that better than its middle', () => {
    expect(score('web', 'web')).toBeGreaterThan(score('web', 'webmail'))
    expect(score('web', 'webmail')).toBeGreaterThan(score('web', 'cobweb'))
    expect(score('web', 'cobweb')).toBeGreaterThan(score('web', 'wxexb'))
  })
})
