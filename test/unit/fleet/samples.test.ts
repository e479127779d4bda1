import { describe, expect, it } from 'vitest'
import { Samples } from '../../../src-main/fleet/samples'
import type { FleetView, GuestView } from '../../../src-preload/contract'

const guest = (cpu: number): GuestView => ({
  kind: 'lxc',
  vmid: 101,
  name: 'caddy',
  node: 'strong',
  host: 'strong',
  cluster: 'homelab',
  status: 'running',
  cpu,
  cpus: 2,
  memory: 256,
  maxMemory: 512,
  disk: 0,
  maxDisk: 1,
  uptime: 1,
  tags: [],
  lock: null,
  template: false
})
const view = (...guests: GuestView[]): FleetView => ({ hosts: [], guests, storages: [], refreshedAt: 1 })
const key = 'homelab/lxc/101'

describe('samples of use', () => {
  it('are one for each question, the last sixty, the oldest first', () => {
    const samples = new Samples()
    for (let minute = 0; minute < 70; minute++) samples.take(view(guest(minute / 100)), 1e9 + minute * 60_000)
    expect(samples.all()[key]?.cpu).toHaveLength(60)
    expect(samples.all()[key]?.cpu[0]).toBe(0.1)
    expect(samples.all()[key]?.memory.at(-1)).toBe(0.5)
  })

  it('a question right after another, as after an execution, replaces the last one', () => {
    const samples = new Samples()
    samples.take(view(guest(0.1)), 1e9)
    samples.take(view(guest(0.2)), 1e9 + 60_000)
    samples.take(view(guest(0.3)), 1e9 + 63_000)
    expect(samples.all()[key]?.cpu).toEqual([0.1, 0.3])
  })

  it('what is gone is forgotten', () => {
    const samples = new Samples()
    samples.take(view(guest(0.1)), 1e9)
    samples.take(view(), 1e9 + 60_000)
    expect(samples.all()).toEqual({})
  })
})
